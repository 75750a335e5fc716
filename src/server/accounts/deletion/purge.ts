import { HOUR_MS } from '#contract/time.ts'
import { lockWorkspaces } from '../../actor.ts'
import { pseudonymiseEvents, recordEvent } from '../../audit.ts'
import type { Database } from '../../database/connect.ts'
import type { PersonId, WorkspaceId } from '../../database/ids.ts'
import { transact } from '../../database/transact.ts'
import { forgetInCounts } from '../../http/limits/counts-store.ts'
import type { Job } from '../../jobs.ts'
import { dropMailsTo } from '../../mail/mails-store.ts'
import { ownerOf, ownersOf, removeOthers } from '../../memberships.ts'
import { removeEnded, removePrograms } from '../account-tables.ts'
import { deletionSoonLetter } from '../letters.ts'
import { findAccount } from '../users-store.ts'
import {
  DELETION_LETTER_MS,
  type DeletionDeps,
  endingOf,
  stopRenewal,
  workspacesLeaving,
} from './deletion.ts'
import {
  beginPurge,
  type Deletion,
  dueDeletions,
  endPurge,
  type Leaving,
  leavingOf,
  markWarned,
  plansToStop,
  unwarned,
  WARNING_MS,
} from './deletions-store.ts'

export type PurgeDeps = DeletionDeps & {
  database: Pick<Database, 'emptyLog'>
  /** Ends the account's plan at the provider and forgets the customer. @throws if it does not answer */
  endPlan: (workspaceId: WorkspaceId) => Promise<void>
  /** Removes the account's codes with their scans; their names stay reserved. */
  purgeCodes: (workspaceId: WorkspaceId) => Promise<void>
}

const EVERY_MS = HOUR_MS / 2
/** Plans that the provider may fail to stop before it counts as down */
const FAILURES_A_RUN = 3
/** After this time all requests that began before the purge have ended. */
const SETTLED_MS = HOUR_MS / 4

/**
 * The job of the deletions that were asked for: stops the plan's renewal, reminds the owner, and
 * purges. Every step can be repeated, and the deletion's row goes last: a purge that a crash interrupts
 * begins again. A clock that jumps ahead purges no account, because the reminder must be seven days old.
 */
export function deleteAccounts(deps: PurgeDeps): Job {
  const { db, clock, log } = deps
  async function run() {
    let failures = 0
    for (const leaving of await plansToStop(db)) {
      if (!(await stopRenewal(deps, leaving))) failures++
      // The others wait too: the provider is down.
      if (failures === FAILURES_A_RUN) break
    }
    for (const deletion of await unwarned(db, clock())) await warn(deps, deletion)
    let ended = 0
    for (const leaving of (await dueDeletions(db, clock().getTime())).map(leavingOf)) {
      try {
        if (await purge(deps, leaving)) ended++
      } catch (error) {
        log.error({ err: error, ...leaving }, 'an account was not purged; it is tried again')
      }
    }
    // Pages as they were before stay in SQLite's log until it is emptied or written again.
    if (ended > 0 && (await deps.database.emptyLog?.()) === false) {
      log.warn('the log of the database could not be emptied; it may still hold purged accounts')
    }
  }
  return { name: 'delete-accounts', everyMs: EVERY_MS, run }
}

/** Reminds the owner. If the queue of mails is full, the account stays until the mail has been queued. */
async function warn({ db, clock, mailer, publicUrl }: PurgeDeps, deletion: Deletion) {
  const leaving = leavingOf(deletion)
  const now = clock()
  // A reminder that is late moves the end: the owner has seven days.
  const endsAt = Math.max(deletion.due_at, now.getTime() + WARNING_MS)
  await transact(db, async (tx) => {
    if (!(await markWarned(tx, leaving, now))) return
    const workspace = await endingOf(tx, leaving)
    const id = 'user_id' in leaving ? leaving.user_id : await ownerOf(tx, leaving.workspace_id)
    const account = await findAccount(tx, { id })
    if (!account) return
    const letter = deletionSoonLetter({ publicUrl, ...account }, workspace, endsAt)
    const mail = { kind: 'deletion-soon', to: account.email, letter, lifeMs: DELETION_LETTER_MS }
    if (!(await mailer.queue(tx, mail))) throw new Error('the queue of mails is full')
  })
}

/** Returns whether the purge has ended. */
async function purge(deps: PurgeDeps, leaving: Leaving): Promise<boolean> {
  const { db, clock } = deps
  const purge = await transact(db, async (tx) => {
    const owned = await workspacesLeaving(tx, leaving)
    await lockWorkspaces(tx, owned)
    const begun = await beginPurge(tx, leaving, clock())
    // No member works on in what is being removed.
    for (const [id, owner] of begun ? await ownersOf(tx, owned) : []) {
      await removeOthers(tx, id, owner)
    }
    return begun && { ...begun, owned }
  })
  if (!purge) return false
  const { owned } = purge
  const userId = 'user_id' in leaving ? leaving.user_id : undefined
  if (userId) await forgetPerson(deps, userId)
  for (const workspaceId of owned) {
    await removePrograms(db, workspaceId)
    await deps.endPlan(workspaceId)
    await deps.purgeCodes(workspaceId)
  }
  await forgetInCounts(db, userId ? [userId, ...owned] : owned)
  await pseudonymiseEvents(db, { userId, pseudonym: purge.pseudonym, owned })
  // A later run removes what requests that were under way have written since.
  if (clock().getTime() - purge.beganAt < SETTLED_MS) return false
  return transact(db, async (tx) => {
    if (!(await endPurge(tx, leaving))) return false
    for (const id of owned) await tx.deleteFrom('workspaces').where('id', '=', id).execute()
    const event = userId ? 'account-purged' : 'workspace-purged'
    await recordEvent(tx, { userId: purge.pseudonym, actor: 'system', event }, clock())
    return true
  })
}

/** Ends all sign-ins, and frees the address for a new account. */
async function forgetPerson({ db }: PurgeDeps, userId: PersonId): Promise<void> {
  const account = await findAccount(db, { id: userId })
  await removeEnded(db, userId, ['user_pictures', 'notices'])
  if (account) {
    const { email } = account
    await dropMailsTo(db, email)
    await forgetInCounts(db, [email, `${email} known device`])
  }
  await db.deleteFrom('members').where('person_id', '=', userId).execute()
  await db.deleteFrom('invitations').where('invited_by', '=', userId).execute()
  await db.deleteFrom('users').where('id', '=', userId).execute()
}
