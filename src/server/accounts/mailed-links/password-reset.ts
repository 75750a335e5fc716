import { lockWorkspace, type Origin } from '../../actor.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import type { AccountDeps } from '../account-deps.ts'
import { recordAndMail } from '../account-events.ts'
import { passwordResetLetter, resetLetter } from '../letters.ts'
import { refuseWeakPassword } from '../passwords/password-rules.ts'
import { endSessions } from '../sessions/sessions-store.ts'
import { forgetOtherDevices } from '../sign-in/sign-ins-store.ts'
import { type AccountRow, findAccount, markProved, savePassword } from '../users-store.ts'
import { endUnproven } from './address-proof.ts'
import { dropChange } from './email-change-store.ts'
import { endLinks, mailLink, readToken, useToken } from './mailed-links.ts'

/** Mails a link to choose a new password, if an account has this address. */
export async function mailReset(deps: AccountDeps, email: string): Promise<void> {
  const account = await findAccount(deps.db, { email })
  if (!account) return
  await mailLink(deps, 'reset-password', { userId: account.id, email: account.email }, resetLetter)
}

type Reset = {
  token: string
  password: string
  origin: Origin
  /** The browser's own, if it has one */
  device: string | undefined
}

/**
 * Gives an account a new password, and ends its sessions, links and known browsers but for this one.
 * A second factor stays: the mailbox alone does not open the account. The link also proves the
 * address: if it was not proved, what was set up before ends.
 * @param hashOf hashes it when its turn comes, after everything that can be refused without it
 * @throws AppError link_over; invalid_input for a weak password, which leaves the link
 */
export async function resetPassword(
  deps: AccountDeps,
  { token, password, origin, device }: Reset,
  hashOf: (password: string) => Promise<string>,
): Promise<AccountRow> {
  const { db, clock, mailer } = deps
  const now = clock()
  const link = await readToken(db, 'reset-password', token, now)
  const account = link && (await findAccount(db, { id: link.userId }))
  if (!account || account.email !== link.email) throw new AppError('link_over')
  const { id } = account
  await refuseWeakPassword(password, account)
  const hash = await hashOf(password)
  await transact(db, async (tx) => {
    await lockWorkspace(tx, id)
    if (!(await useToken(tx, 'reset-password', token, now))) throw new AppError('link_over')
    if (!account.emailVerified) {
      await endUnproven(deps, tx, id, { providerId: 'credential' })
      await markProved(tx, id)
    }
    await endSessions(tx, id)
    await forgetOtherDevices(tx, id, device)
    await endLinks(tx, id)
    await dropChange(tx, id)
    await savePassword(tx, id, hash, now)
    await recordAndMail(tx, deps, {
      event: 'password-reset',
      account,
      origin,
      letter: passwordResetLetter,
    })
  })
  mailer.soon()
  return account
}
