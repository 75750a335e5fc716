import type { Origin } from '../../audit.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import type { AccountDeps } from '../account-deps.ts'
import { recordByOwner } from '../account-events.ts'
import { firstLinkLetter, signInLinkLetter } from '../letters.ts'
import { type AccountRow, createAccount, findAccount } from '../users-store.ts'
import { proveAddress } from './address-proof.ts'
import { mailLink, useToken } from './mailed-links.ts'

/** Mails a link that signs in. A newcomer gets one too, if accounts are open. */
export async function mailSignInLink(deps: AccountDeps, email: string): Promise<void> {
  const account = await findAccount(deps.db, { email })
  if (!account && deps.config.signUp === 'closed') return
  const letter = account ? signInLinkLetter : firstLinkLetter
  // An address in place of the id: no account has such an id.
  await mailLink(deps, 'sign-in', { userId: account?.id ?? email, email }, letter)
}

/**
 * Uses a link up, and finds or makes the account of the address that it was mailed to. The link proves
 * the address.
 * @throws AppError link_over, sign_up_closed
 */
export async function useSignInLink(
  deps: AccountDeps,
  token: string,
  origin: Origin,
): Promise<AccountRow> {
  const { db, clock, config } = deps
  const now = clock()
  const link = await useToken(db, 'sign-in', token, now)
  if (!link) throw new AppError('link_over')
  const account = await findAccount(db, { email: link.email })
  if (account) {
    await proveAddress(deps, account.id, origin)
    return { ...account, emailVerified: true }
  }
  if (config.signUp === 'closed') throw new AppError('sign_up_closed')
  const [name = link.email] = link.email.split('@')
  const made = { email: link.email, name, emailVerified: true, credential: undefined }
  return transact(db, async (tx) => {
    const newcomer = await createAccount(tx, made, now)
    await recordByOwner(tx, deps, { userId: newcomer.id, event: 'signed-up', origin })
    return newcomer
  })
}
