import type { Origin } from '../../audit.ts'
import type { Tx } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import { recordAndTell } from '../account-events.ts'
import { refuseWeakPassword } from '../passwords/password-rules.ts'
import { endSessions } from '../sessions/sessions-store.ts'
import { forgetOtherDevices } from '../sign-in/sign-ins-store.ts'
import { type AccountRow, findAccount, lockUser, markProved, savePassword } from '../users-store.ts'
import { dropChange } from './email-change-store.ts'
import { endUnproven, type FirstProofDeps } from './first-proof.ts'
import { endLinks, type LinkMailDeps, mailLink, readToken, useToken } from './mailed-links.ts'
import { passwordResetLetter, resetLetter } from './recovery-letters.ts'

/** Mails a link to choose a new password, if somebody has this address. */
export async function mailReset(deps: LinkMailDeps, email: string): Promise<void> {
  const account = await findAccount(deps.db, { email })
  if (!account) return
  await mailLink(deps, 'reset-password', { userId: account.id, email: account.email }, resetLetter)
}

export type Reset = {
  token: string
  password: string
  origin: Origin
  /** The browser's own, if it has one */
  device: string | undefined
}

/**
 * Gives an account a new password, and ends its sessions, links and known browsers but for this one.
 * A second factor stays: the mailbox alone does not open the account.
 * @param hashOf hashes it when its turn comes; what can be refused without, is refused before
 * @throws AppError link_over; invalid_input for a weak password, which leaves the link
 */
export async function resetPassword(
  deps: LinkMailDeps & FirstProofDeps,
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
    await lockUser(tx, id)
    if (!(await useToken(tx, 'reset-password', token, now))) throw new AppError('link_over')
    await endAll(deps, tx, account, device)
    await savePassword(tx, id, hash, now)
    await recordAndTell(tx, deps, {
      event: 'password-reset',
      account,
      origin,
      letter: passwordResetLetter,
    })
  })
  mailer.soon()
  return account
}

/** The link came by mail, so it proves the address too: what was set up before anybody did that, ends. */
async function endAll(
  deps: FirstProofDeps,
  tx: Tx,
  { id, emailVerified }: AccountRow,
  device: string | undefined,
) {
  if (!emailVerified) {
    await endUnproven(deps, tx, id, { providerId: 'credential' })
    await markProved(tx, id)
  }
  await endSessions(tx, id)
  await forgetOtherDevices(tx, id, device)
  await endLinks(tx, id)
  await dropChange(tx, id)
}
