import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { qrCode } from '#contract/codes.ts'
import { newSeries, SERIES_BODY_MAX } from '#contract/series.ts'
import { z } from '#contract/zod.ts'
import type { InTurn } from '../../http/account-turns.ts'
import { jsonList, sendList } from '../../http/json-list.ts'
import type { LifecycleDeps } from '../lifecycle.ts'
import { presentCode } from '../presenter.ts'
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
      schema: { body: newSeries, response: { 201: z.array(qrCode) } },
    },
    async (request, reply) => {
      const record = deps.recordFor(request)
      const list = await deps.inListTurn(request, async () => {
        const codes = await makeSeries({ ...deps, record }, request.userId, request.body)
        return jsonList(codes, (code) => presentCode(code, deps.publicUrl, []))
      })
      return sendList(reply.code(201), list)
    },
  )
}
