import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { qrCode } from '#contract/codes.ts'
import { onceHeaders } from '#contract/programs/idempotency.ts'
import { newSeries, SERIES_BODY_MAX } from '#contract/series.ts'
import { z } from '#contract/zod.ts'
import { IdempotencyRecord, tellReplayed } from '../../http/idempotency-record.ts'
import { sendList } from '../../http/json-list.ts'
import type { InTurn } from '../../http/queue/request-queue.ts'
import type { LifecycleDeps } from '../change-code.ts'
import { makeSeries } from './make-series.ts'

export type SeriesDeps = Omit<LifecycleDeps, 'record'> & {
  recordFor: (request: FastifyRequest) => LifecycleDeps['record']
  inListTurn: InTurn
}

/** POST /api/qr-codes/bulk: many codes at once, all or none. */
export function seriesRoutes(plain: FastifyInstance, deps: SeriesDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  app.post(
    '/api/qr-codes/bulk',
    {
      bodyLimit: SERIES_BODY_MAX,
      schema: { headers: onceHeaders, body: newSeries, response: { 201: z.array(qrCode) } },
    },
    async (request, reply) => {
      const record = deps.recordFor(request)
      const list = await deps.inListTurn(request, async () => {
        const once = IdempotencyRecord.of(request, deps.clock)
        const made = await makeSeries({ ...deps, record }, request.userId, request.body, once)
        if (made.isReplayed) tellReplayed(reply)
        return made.list
      })
      return sendList(reply.code(201), list)
    },
  )
}
