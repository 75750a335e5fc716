import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { accountDeletion, proofOnly } from '#contract/account-settings.ts'
import { originOf } from '../origin.ts'
import type { DemandOwner } from '../settings/proof-of-owner.ts'
import { askDeletion, type DeletionDeps, keepAccount } from './deletion.ts'

type Deps = DeletionDeps & { requireUser: onRequestHookHandler; demandOwner: DemandOwner }

/** Deleting one's account, and changing one's mind. */
export async function deletionRoutes(plain: FastifyInstance, deps: Deps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  app.addHook('onRequest', deps.requireUser)

  app.post(
    '/api/account/deletion',
    { schema: { body: proofOnly, response: { 202: accountDeletion } } },
    async (request, reply) => {
      await deps.demandOwner(request, request.body.password)
      const deletionAt = await askDeletion(deps, request.userId, originOf(request))
      return reply.code(202).send({ deletionAt: deletionAt.toISOString() })
    },
  )

  app.delete('/api/account/deletion', async (request, reply) => {
    await keepAccount(deps, request.userId, originOf(request))
    return reply.code(204).send()
  })
}
