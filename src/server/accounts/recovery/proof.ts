import type { Origin } from '../../audit/audit-store.ts'
import { recordEvent } from '../../audit/audit-store.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import { proofLetter } from '../letters.ts'
import { useToken } from '../mailed-links.ts'
import { type AccountRow, findAccount, markProved } from '../users-store.ts'
import { type LinkMailDeps, mailLink, mayMail } from './link-mails.ts'

/** Mails the link that proves an account's address, unless it has got several just now. */
export async function mailProof(deps: LinkMailDeps, account: AccountRow): Promise<void> {
  if (await mayMail(deps, 'verify-email', account.email)) await sendProof(deps, account)
}

/** `mailProof` for a caller that has counted. */
export function sendProof(deps: LinkMailDeps, { id, email }: AccountRow): Promise<void> {
  return mailLink(deps, 'verify-email', { userId: id, email }, proofLetter)
}

/**
 * Uses the link that proves an address. What was set up before stays: whoever presses the button in
 * a mail about an account of theirs has most likely just made it.
 * @throws AppError link_over
 */
export async function acceptProof(
  { db, clock }: LinkMailDeps,
  token: string,
  origin: Origin,
): Promise<void> {
  const now = clock()
  await transact(db, async (tx) => {
    const link = await useToken(tx, 'verify-email', token, now)
    const account = link && (await findAccount(tx, { id: link.userId }))
    // The account may have got another address since.
    if (!account || account.email !== link.email) throw new AppError('link_over')
    if (account.emailVerified) return
    await markProved(tx, account.id)
    const event = { userId: account.id, actor: 'user', event: 'email-verified', origin } as const
    await recordEvent(tx, event, now)
  })
}
