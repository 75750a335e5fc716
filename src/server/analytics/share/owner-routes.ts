import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { newShare, share, shareList, shareQuery } from '#contract/analytics/shares.ts'
import { z } from '#contract/zod.ts'
import { takesKeys } from '../../http/policy/route-rules.ts'
import type { Record, Sharing } from './sharing.ts'

export type OwnerRoutesDeps = {
  sharing: Sharing
  requireUser: onRequestHookHandler
  recordFor: (request: FastifyRequest) => Record
}

const params = z.object({ id: z.string() })

/** The links to a code's figures that its owner makes, sees and stops. */
export async function shareOwnerRoutes(plain: FastifyInstance, deps: OwnerRoutesDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { sharing, recordFor } = deps
  app.addHook('onRequest', deps.requireUser)
  app.addHook('onRoute', takesKeys)

  const list = { schema: { querystring: shareQuery, response: { 200: shareList } } }
  app.get('/api/analytics/shares', list, ({ userId, query }) => sharing.list(userId, query.qr))

  const make = { schema: { querystring: shareQuery, body: newShare, response: { 201: share } } }
  app.post('/api/analytics/shares', make, async (request, reply) => {
    const { userId, query, body } = request
    const made = await sharing.make({ userId, codeId: query.qr }, body, recordFor(request))
    return reply.code(201).send(made)
  })

  app.delete('/api/analytics/shares/:id', { schema: { params } }, async (request, reply) => {
    await sharing.end(request.userId, request.params.id, recordFor(request))
    return reply.code(204).send()
  })
}
