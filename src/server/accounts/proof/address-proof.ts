import {
  checkedActor,
  lockPerson,
  lockWorkspaces,
  type Origin,
  type PersonActor,
} from '../../actor.ts'
import type { PersonId } from '../../database/ids.ts'
import { deleteWhere } from '../../database/rows.ts'
import type { Db, Tx } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import { changeWorkspace, removeOthers, workspacesOwnedBy } from '../../memberships.ts'
import type { AccountDeps } from '../account-deps.ts'
import { EVENT_LETTER_MS } from '../account-events.ts'
import { removeEnded, removePrograms } from '../account-tables.ts'
import { removeDeletion } from '../deletion/deletions-store.ts'
import { addressProofLetter, firstProofLetter } from '../letters.ts'
import { type AccountRow, changeUser, findAccount, markProved, NO_CHANGE } from '../users-store.ts'
import { type Link, type LinkMailDeps, mailLink, mayMail, spendToken } from './mailed-links.ts'
import { isStillShown, type Shown } from './owner-proof.ts'

/** Mails the link that proves an account's address, unless the address got several just now. */
export async function mailAddressProof(deps: LinkMailDeps, account: AccountRow): Promise<void> {
  if (await mayMail(deps, 'verify-email', account.email)) await sendAddressProof(deps, account)
}

/** `mailAddressProof` for a caller that has counted. */
export function sendAddressProof(deps: LinkMailDeps, { id, email }: AccountRow): Promise<void> {
  return mailLink(deps, 'verify-email', { userId: id, email }, addressProofLetter)
}

/**
 * Uses the link that proves an address. The owner of the mailbox need not be the one who made the
 * account, so what was set up before ends unless something shows that.
 * @throws AppError link_over; password_needed if what was shown has ended since
 */
export async function acceptAddressProof(
  deps: AccountDeps,
  token: string,
  { shown, origin }: { shown: Shown | undefined; origin: Origin },
): Promise<void> {
  const { db, clock } = deps
  await transact(db, async (tx) => {
    const link = await spendToken(tx, 'verify-email', token, clock())
    const { id, emailVerified } = await accountOf(tx, link)
    if (emailVerified) return
    await lockWithOwned(tx, id)
    if (!shown) await endUnproven(deps, tx, id)
    else if (!(await isStillShown(tx, id, shown))) throw new AppError('password_needed')
    await markProved(tx, id)
    await deps.record(tx, checkedActor(id, origin), 'email-verified')
  })
}

/** `endUnproven` also changes the workspaces that the person owns. */
async function lockWithOwned(tx: Tx, id: PersonId): Promise<void> {
  await lockWorkspaces(tx, await workspacesOwnedBy(tx, id))
  await lockPerson(tx, id)
}

/** The account that a link was mailed to. @throws AppError link_over */
export async function accountOf(db: Db, link: Link | undefined): Promise<AccountRow> {
  const account = link && (await findAccount(db, { id: link.userId }))
  // The account may have another address since.
  if (!account || account.email !== link.email) throw new AppError('link_over')
  return account
}

/** The session or way in that stays, because the user has just proved the address with it */
type ProvedBy = {
  /** The id of the session from which the address is proved */
  sessionId?: string | undefined
  /** The `providerId` of the way in by which it is proved: `credential` is the password */
  providerId?: string
}

/**
 * Marks the address of an account as proved and records it. Before the first proof a stranger could
 * have signed up with it and prepared ways back in, so these end: see `endUnproven`. An account whose
 * address is proved already stays as it is.
 */
export async function proveAddress(
  deps: AccountDeps,
  userId: PersonId,
  origin: Origin,
  provedBy: ProvedBy = {},
): Promise<void> {
  await transact(deps.db, async (tx) => {
    await lockWithOwned(tx, userId)
    await proveLocked(deps, tx, checkedActor(userId, origin), provedBy)
  })
}

/** The same within a transaction that has locked the workspaces that the person owns, and the person. */
export async function proveLocked(
  deps: AccountDeps,
  tx: Tx,
  by: PersonActor,
  provedBy: ProvedBy,
): Promise<void> {
  const { personId } = by
  if ((await findAccount(tx, { id: personId }))?.emailVerified !== false) return
  await endUnproven(deps, tx, personId, provedBy)
  await markProved(tx, personId)
  await deps.record(tx, by, 'email-verified')
}

/**
 * Ends everything that opens an account or its data (`account-tables.ts`), and a pending deletion, but
 * for what is kept, and mails that to the owner. Call it under the locks that `proveLocked` needs.
 */
export async function endUnproven(
  { mailer, publicUrl, endSharing }: AccountDeps,
  tx: Tx,
  userId: PersonId,
  { sessionId = '', providerId = '' }: ProvedBy = {},
): Promise<void> {
  await removeEnded(tx, userId)
  // Also what it says of itself to visitors of its codes.
  await changeUser(tx, userId, NO_CHANGE)
  const domains: string[] = []
  for (const id of await workspacesOwnedBy(tx, userId)) {
    await changeWorkspace(tx, id, { shown_name: null, shown_contact: null })
    await removeOthers(tx, id, userId)
    await removePrograms(tx, id)
    domains.push(...(await endSharing(tx, id)))
  }
  if (await removeDeletion(tx, { user_id: userId }))
    await changeUser(tx, userId, { deletion_at: null })
  await deleteWhere(tx, 'accounts', { userId }).where('providerId', '!=', providerId).execute()
  await deleteWhere(tx, 'sessions', { userId }).where('id', '!=', sessionId).execute()
  const account = await findAccount(tx, { id: userId })
  if (!account) return
  await mailer.queue(tx, {
    kind: 'first-proof',
    to: account.email,
    account: userId,
    letter: firstProofLetter(publicUrl, domains),
    lifeMs: EVENT_LETTER_MS,
  })
}
