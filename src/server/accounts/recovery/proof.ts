import type { Origin } from '../../audit.ts'
import { recordEvent } from '../../audit.ts'
import type { Db } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import { proofLetter } from '../letters.ts'
import { type AccountRow, findAccount, lockUser, markProved } from '../users-store.ts'
import { endUnproven, type FirstProofDeps } from './first-proof.ts'
import {
  type Link,
  type LinkMailDeps,
  mailLink,
  mayMail,
  readToken,
  useToken,
} from './mailed-links.ts'
import { type Shown, stillShown } from './owner-shown.ts'

/** Mails the link that proves an account's address, unless it has got several just now. */
export async function mailProof(deps: LinkMailDeps, account: AccountRow): Promise<void> {
  if (await mayMail(deps, 'verify-email', account.email)) await sendProof(deps, account)
}

/** `mailProof` for a caller that has counted. */
export function sendProof(deps: LinkMailDeps, { id, email }: AccountRow): Promise<void> {
  return mailLink(deps, 'verify-email', { userId: id, email }, proofLetter)
}

/** The account whose address a link proves, without using the link. @throws AppError link_over */
export async function accountToProve({ db, clock }: LinkMailDeps, token: string) {
  return accountOf(db, await readToken(db, 'verify-email', token, clock()))
}

/**
 * Uses the link that proves an address. Whoever has the mailbox need not be who made the account, so
 * what was set up before ends where nothing shows that.
 * @throws AppError link_over; password_needed where what was shown is over meanwhile
 */
export async function acceptProof(
  deps: LinkMailDeps & FirstProofDeps,
  token: string,
  { shown, origin }: { shown: Shown | undefined; origin: Origin },
): Promise<void> {
  const { db, clock, mailer } = deps
  const now = clock()
  await transact(db, async (tx) => {
    const link = await useToken(tx, 'verify-email', token, now)
    const { id, emailVerified } = await accountOf(tx, link)
    if (emailVerified) return
    await lockUser(tx, id)
    if (!shown) await endUnproven(deps, tx, id)
    else if (!(await stillShown(tx, id, shown))) throw new AppError('password_needed')
    await markProved(tx, id)
    const event = { userId: id, actor: 'user', event: 'email-verified', origin } as const
    await recordEvent(tx, event, now)
  })
  mailer.soon()
}

async function accountOf(db: Db, link: Link | undefined): Promise<AccountRow> {
  const account = link && (await findAccount(db, { id: link.userId }))
  // The account may have got another address since.
  if (!account || account.email !== link.email) throw new AppError('link_over')
  return account
}
