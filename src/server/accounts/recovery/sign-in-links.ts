import type { Origin } from '../../audit.ts'
import { recordEvent } from '../../audit.ts'
import type { Config } from '../../config.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import { type AccountRow, createAccount, findAccount } from '../users-store.ts'
import { type FirstProofDeps, proveAddress } from './first-proof.ts'
import { type LinkMailDeps, mailLink, useToken } from './mailed-links.ts'
import { firstLinkLetter, signInLinkLetter } from './recovery-letters.ts'

export type SignInLinkDeps = LinkMailDeps &
  FirstProofDeps & { config: Pick<Config, 'publicUrl' | 'signUp'> }

/** Mails a link that signs in. Somebody new gets one too, if accounts are open. */
export async function mailSignInLink(deps: SignInLinkDeps, email: string): Promise<void> {
  const account = await findAccount(deps.db, { email })
  if (!account && deps.config.signUp === 'closed') return
  const letter = account ? signInLinkLetter : firstLinkLetter
  // Nobody's id is an address.
  await mailLink(deps, 'sign-in', { userId: account?.id ?? email, email }, letter)
}

/**
 * Uses a link up, and finds or makes the account of the address that it was mailed to.
 * @throws AppError link_over, sign_up_closed
 */
export async function useSignInLink(
  deps: SignInLinkDeps,
  token: string,
  origin: Origin,
): Promise<AccountRow> {
  const { db, clock, config } = deps
  const now = clock()
  const link = await useToken(db, 'sign-in', token, now)
  if (!link) throw new AppError('link_over')
  const account = await findAccount(db, { email: link.email })
  if (account) return proved(deps, account, origin)
  if (config.signUp === 'closed') throw new AppError('sign_up_closed')
  const [name = link.email] = link.email.split('@')
  const made = { email: link.email, name, emailVerified: true, credential: undefined }
  return transact(db, async (tx) => {
    const newcomer = await createAccount(tx, made, now)
    const event = { userId: newcomer.id, actor: 'user', event: 'signed-up', origin } as const
    await recordEvent(tx, event, now)
    return newcomer
  })
}

/** The account, whose address the link has proved. Its owner is told what ended by that. */
async function proved(deps: SignInLinkDeps, account: AccountRow, origin: Origin) {
  const { db, clock } = deps
  if (!(await proveAddress(deps, account.id))) return account
  const event = { userId: account.id, actor: 'user', event: 'email-verified', origin } as const
  await recordEvent(db, event, clock())
  return { ...account, emailVerified: true }
}
