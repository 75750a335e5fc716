import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { accountDeletion, DELETION_DAYS, proofOnly } from '#contract/account-settings.ts'
import { DAY_MS } from '#contract/time.ts'
import { type PersonId, type WorkspaceId, workspaceOf } from '../../database/ids.ts'
import type { AccountDeps } from '../account-deps.ts'
import { changeAccount, type EventDeps } from '../account-events.ts'
import { accountKeptLetter, deletionAskedLetter } from '../letters.ts'
import { setDeletionAt } from '../users-store.ts'
import { addDeletion, markPlanStopped, removeDeletion } from './deletions-store.ts'

export type DeletionDeps = EventDeps &
  Pick<AccountDeps, 'db' | 'log'> & {
    /** Ends the account's plan with the period that is paid. @throws if the provider does not answer */
    stopRenewal: (workspaceId: WorkspaceId) => Promise<void>
  }

/** How long a mail about a deletion is of use */
export const DELETION_LETTER_MS = 3 * DAY_MS

/** Asks for the account's deletion, and cancels it. */
export async function deletionRoutes(plain: FastifyInstance, deps: AccountDeps & DeletionDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  app.addHook('onRequest', deps.requireUser)

  app.post(
    '/api/account/deletion',
    { schema: { body: proofOnly, response: { 202: accountDeletion } } },
    async (request, reply) => {
      await deps.demandRecentProof(request, request.body.password)
      const dueAt = await askDeletion(deps, request)
      return reply.code(202).send({ deletionAt: new Date(dueAt).toISOString() })
    },
  )

  app.delete('/api/account/deletion', async (request, reply) => {
    await keepAccount(deps, request)
    return reply.code(204).send()
  })
}

/** Asks for a purge in 30 days. Returns its time: if it was asked before, the first time counts. */
async function askDeletion(deps: DeletionDeps, request: FastifyRequest): Promise<number> {
  const { personId: userId } = request.actor
  const until = deps.clock().getTime() + DELETION_DAYS * DAY_MS
  const dueAt = await changeAccount(deps, request.actor, async ({ tx, report }) => {
    const { dueAt, isNew } = await addDeletion(tx, userId, until)
    if (!isNew) return dueAt
    await setDeletionAt(tx, userId, dueAt)
    await report('deletion-asked', (context) => deletionAskedLetter(context, dueAt), {
      lifeMs: DELETION_LETTER_MS,
    })
    return dueAt
  })
  await stopRenewal(deps, userId)
  return dueAt
}

/** Stops the plan's renewal at the payment provider. If that fails, the job tries again. Never rejects. */
export async function stopRenewal(deps: DeletionDeps, userId: PersonId): Promise<boolean> {
  try {
    await deps.stopRenewal(workspaceOf(userId))
    await markPlanStopped(deps.db, userId, deps.clock())
    return true
  } catch (error) {
    deps.log.warn({ err: error, userId }, 'a plan still renews; the provider is told later')
    return false
  }
}

/** Cancels the deletion, if there is one and its purge has not begun. */
async function keepAccount(deps: DeletionDeps, request: FastifyRequest): Promise<void> {
  const { personId: userId } = request.actor
  await changeAccount(deps, request.actor, async ({ tx, report }) => {
    if (!(await removeDeletion(tx, userId))) return
    await setDeletionAt(tx, userId, null)
    await report('deletion-cancelled', accountKeptLetter, { lifeMs: DELETION_LETTER_MS })
  })
}
