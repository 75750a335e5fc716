import { accountDeletion, DELETION_DAYS, ownerProof } from '#contract/accounts/account-settings.ts'
import { DAY_MS } from '#contract/time.ts'
import type { Actor } from '../../actor.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import { rowsWhere } from '../../database/rows.ts'
import type { Db, Tx } from '../../database/schema.ts'
import { iso } from '../../dates.ts'
import { AppError } from '../../http/errors.ts'
import { nameOf, workspacesOwnedBy } from '../../memberships.ts'
import type { Api } from '../../room.ts'
import type { AccountDeps } from '../account-deps.ts'
import { type Change, changeAccount, type EventDeps } from '../account-events.ts'
import { deletionAskedLetter, type Ending, type EventLetter, keptLetter } from '../letters.ts'
import { changeUser } from '../users-store.ts'
import { addDeletion, type Leaving, markPlanStopped, removeDeletion } from './deletions-store.ts'

export type DeletionDeps = EventDeps &
  Pick<AccountDeps, 'db' | 'log'> & {
    /** Ends the account's plan with the period that is paid. @throws if the provider does not answer */
    stopRenewal: (workspaceId: WorkspaceId) => Promise<void>
  }

/** How long a mail about a deletion is of use */
export const DELETION_LETTER_MS = 3 * DAY_MS
const lifeMs = DELETION_LETTER_MS
const TOO_LATE = 'It’s being deleted already, so it can’t be restored any more.'

/** Asks for the deletion of an account or of a workspace that is not the owner's own, and cancels it. */
export async function deletionRoutes(app: Api, deps: AccountDeps & DeletionDeps) {
  const { db } = deps
  app.addHook('onRequest', deps.requireUser)
  const leavingBy = {
    '/api/account/deletion': ({ personId }: Actor): Leaving => ({ user_id: personId }),
    '/api/workspace/deletion': ({ workspaceId }: Actor): Leaving => ({ workspace_id: workspaceId }),
  }

  for (const [path, leavingOf] of Object.entries(leavingBy)) {
    /** The purge comes in 30 days. If it was asked for before, the first time counts. */
    const asked = { schema: { body: ownerProof, response: { 202: accountDeletion } } }
    app.post(path, asked, async (request, reply) => {
      const leaving = leavingOf(request.actor)
      await deps.demandRecentProof(request, request.body.password)
      const until = deps.clock().getTime() + DELETION_DAYS * DAY_MS
      const ending = await workspacesLeaving(db, leaving)
      const change = async ({ tx, report }: Change) => {
        await demandLeave(tx, leaving)
        const { dueAt, isNew } = await addDeletion(tx, leaving, until)
        if (!isNew) return dueAt
        const workspace = await endingOf(tx, leaving)
        if (!workspace) await changeUser(tx, request.actor.personId, { deletion_at: dueAt })
        const letter: EventLetter = (context) => deletionAskedLetter(context, workspace, dueAt)
        await report(workspace ? 'workspace-deletion-asked' : 'deletion-asked', letter, { lifeMs })
        return dueAt
      }
      const dueAt = await changeAccount(deps, request.actor, change, ending)
      await stopRenewal(deps, leaving)
      return reply.code(202).send({ deletionAt: iso(dueAt) })
    })

    /** Cancels the deletion, if there is one and its purge has not begun. */
    app.delete(path, async ({ actor }, reply) => {
      const leaving = leavingOf(actor)
      await changeAccount(deps, actor, async ({ tx, report }) => {
        // The workspace would go with its owner all the same.
        const goesWithOwner = 'workspace_id' in leaving && { user_id: actor.personId }
        if (goesWithOwner && (await rowsWhere(tx, 'deletions', goesWithOwner).executeTakeFirst())) {
          throw new AppError('account_leaving')
        }
        if (!(await removeDeletion(tx, leaving))) {
          const begun = await rowsWhere(tx, 'deletions', leaving).executeTakeFirst()
          if (begun) throw new AppError('not_found', TOO_LATE)
          return
        }
        const workspace = await endingOf(tx, leaving)
        if (!workspace) await changeUser(tx, actor.personId, { deletion_at: null })
        const event = workspace ? 'workspace-deletion-cancelled' : 'deletion-cancelled'
        await report(event, (context) => keptLetter(context, workspace), { lifeMs })
      })
      return reply.code(204).send()
    })
  }
}

/** An account leaves its people none of its workspaces, and a person's own one goes with the account. @throws AppError owns_workspaces, own_workspace_stays */
async function demandLeave(tx: Tx, leaving: Leaving): Promise<void> {
  if ('workspace_id' in leaving) {
    const own = rowsWhere(tx, 'workspaces', { id: leaving.workspace_id, is_own: 1 })
    if (await own.executeTakeFirst()) throw new AppError('own_workspace_stays')
    return
  }
  // The person may have taken one over since.
  const ending = await workspacesLeaving(tx, leaving)
  const others = tx
    .selectFrom('members')
    .select('person_id')
    .where('workspace_id', 'in', ending)
    // One that ends by itself already can't be restored before the account is.
    .where('workspace_id', 'not in', (row) =>
      row.selectFrom('deletions').select('workspace_id').where('workspace_id', 'is not', null),
    )
  const other = await others.where('person_id', '!=', leaving.user_id).executeTakeFirst()
  if (other) throw new AppError('owns_workspaces')
}

/** The workspaces that go */
export const workspacesLeaving = async (db: Db, leaving: Leaving): Promise<WorkspaceId[]> =>
  'user_id' in leaving ? workspacesOwnedBy(db, leaving.user_id) : [leaving.workspace_id]

/** The workspace that goes alone; undefined for an account */
export async function endingOf(db: Db, leaving: Leaving): Promise<Ending> {
  if ('user_id' in leaving) return undefined
  const id = leaving.workspace_id
  return { id, name: await nameOf(db, id) }
}

/** Stops the renewal of the plans at the payment provider. If that fails, the job tries again. Never rejects. */
export async function stopRenewal(deps: DeletionDeps, leaving: Leaving): Promise<boolean> {
  try {
    for (const id of await workspacesLeaving(deps.db, leaving)) await deps.stopRenewal(id)
    await markPlanStopped(deps.db, leaving, deps.clock())
    return true
  } catch (error) {
    deps.log.warn({ err: error, ...leaving }, 'a plan still renews; the provider is told later')
    return false
  }
}
