import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { now, nowQuery } from '#contract/analytics/figures.ts'
import { sessionOf } from '../../actor.ts'
import type { Clock } from '../../clock.ts'
import { clientAddress } from '../../http/policy/client-address.ts'
import { takesKeys } from '../../http/policy/route-rules.ts'
import { type InTurn, leaveSiteQueue } from '../../http/queue/request-queue.ts'
import { type CodesFor, wantedOf } from '../query/query.ts'
import { scansNow } from '../query/seen-scans.ts'
import type { ScansStore } from '../store/scans-store.ts'
import type { Live } from './live.ts'

export type LiveRoutesDeps = {
  live: Live
  scans: ScansStore
  clock: Clock
  requireUser: onRequestHookHandler
  inListTurn: InTurn
  codesFor: CodesFor
}

/** The stream of scans, and the last half hour. */
export async function liveRoutes(plain: FastifyInstance, deps: LiveRoutesDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { live, scans, clock, inListTurn, codesFor } = deps
  app.addHook('onRequest', deps.requireUser)
  app.addHook('onRoute', takesKeys)

  // A program with a key asks for `now`: a stream lasts as long as a session, and it has none.
  const config = { key: false as const }
  const stream = { exposeHeadRoute: false, config }
  app.get('/api/analytics/stream', stream, (request, reply) => {
    const reader = {
      workspaceId: request.actor.workspaceId,
      personId: request.actor.personId,
      sessionId: sessionOf(request)?.id ?? null,
      address: clientAddress(request),
    }
    live.check(reader)
    leaveSiteQueue(request)
    reply.hijack()
    const headers = reply.getHeaders() as Record<string, string>
    live.open(reader, { response: reply.raw, headers })
  })

  const answer = { schema: { querystring: nowQuery, response: { 200: now } } }
  app.get('/api/analytics/now', answer, (request) =>
    inListTurn(request, async () => {
      const { workspaceId } = request.actor
      const codes = await codesFor(workspaceId, request.query)
      return scansNow(scans.of(workspaceId), codes, clock().getTime(), wantedOf(request.query))
    }),
  )
}
