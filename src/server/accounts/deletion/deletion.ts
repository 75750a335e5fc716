import { accountDeletion, DELETION_DAYS, ownerProof } from '#contract/account-settings.ts'
import { DAY_MS } from '#contract/time.ts'
import type { PersonId, WorkspaceId } from '../../database/ids.ts'
import { iso } from '../../dates.ts'
import { workspacesOwnedBy } from '../../memberships.ts'
import type { Api } from '../../room.ts'
import type { AccountDeps } from '../account-deps.ts'
import { changeAccount, type EventDeps } from '../account-events.ts'
import { accountKeptLetter, deletionAskedLetter } from '../letters.ts'
import { changeUser } from '../users-store.ts'
import { addDeletion, markPlanStopped, removeDeletion } from './deletions-store.ts'

export type DeletionDeps = EventDeps &
  Pick<AccountDeps, 'db' | 'log'> & {
    /** Ends the account's plan with the period that is paid. @throws if the provider does not answer */
    stopRenewal: (workspaceId: WorkspaceId) => Promise<void>
  }

/** How long a mail about a deletion is of use */
export const DELETION_LETTER_MS = 3 * DAY_MS
const lifeMs = DELETION_LETTER_MS

/** Asks for the account's deletion, and cancels it. */
export async function deletionRoutes(app: Api, deps: AccountDeps & DeletionDeps) {
  app.addHook('onRequest', deps.requireUser)

  /** The purge comes in 30 days. If it was asked for before, the first time counts. */
  const asked = { schema: { body: ownerProof, response: { 202: accountDeletion } } }
  app.post('/api/account/deletion', asked, async (request, reply) => {
    const { personId: userId } = request.actor
    await deps.demandRecentProof(request, request.body.password)
    const until = deps.clock().getTime() + DELETION_DAYS * DAY_MS
    const dueAt = await changeAccount(deps, request.actor, async ({ tx, report }) => {
      const { dueAt, isNew } = await addDeletion(tx, userId, until)
      if (!isNew) return dueAt
      await changeUser(tx, userId, { deletion_at: dueAt })
      await report('deletion-asked', (context) => deletionAskedLetter(context, dueAt), { lifeMs })
      return dueAt
    })
    await stopRenewal(deps, userId)
    return reply.code(202).send({ deletionAt: iso(dueAt) })
  })

  /** Cancels the deletion, if there is one and its purge has not begun. */
  app.delete('/api/account/deletion', async (request, reply) => {
    const { personId: userId } = request.actor
    await changeAccount(deps, request.actor, async ({ tx, report }) => {
      if (!(await removeDeletion(tx, userId))) return
      await changeUser(tx, userId, { deletion_at: null })
      await report('deletion-cancelled', accountKeptLetter, { lifeMs })
    })
    return reply.code(204).send()
  })
}

/** Stops the renewal of the person's plans at the payment provider. If that fails, the job tries again. Never rejects. */
export async function stopRenewal(deps: DeletionDeps, userId: PersonId): Promise<boolean> {
  try {
    for (const id of await workspacesOwnedBy(deps.db, userId)) await deps.stopRenewal(id)
    await markPlanStopped(deps.db, userId, deps.clock())
    return true
  } catch (error) {
    deps.log.warn({ err: error, userId }, 'a plan still renews; the provider is told later')
    return false
  }
}
