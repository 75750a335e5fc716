import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import {
  keptLook,
  lookApplied,
  lookChange,
  lookedCodes,
  lookParams,
  newLook,
} from '#contract/pictures/looks.ts'
import { SERIES_BODY_MAX } from '#contract/series.ts'
import { z } from '#contract/zod.ts'
import type { InTurn } from '../../http/queue/request-queue.ts'
import type { LifecycleDeps } from '../change-code.ts'
import { presentLook } from '../presenter.ts'
import { applyLook, changeLook, forgetLook, keepLook } from './styles.ts'
import { listLooks } from './styles-store.ts'

export type LookRoutesDeps = Omit<LifecycleDeps, 'record'> & {
  recordFor: (request: FastifyRequest) => LifecycleDeps['record']
  inListTurn: InTurn
}

/** The styles that an account keeps, and their use for many codes at once. */
export function lookRoutes(plain: FastifyInstance, deps: LookRoutesDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()

  app.get('/api/looks', { schema: { response: { 200: z.array(keptLook) } } }, async (request) =>
    (await listLooks(deps.db, request.userId)).map(presentLook),
  )

  app.post(
    '/api/looks',
    { schema: { body: newLook, response: { 201: keptLook } } },
    async (request, reply) => {
      const row = await keepLook(deps, request.userId, request.body)
      return reply.code(201).send(presentLook(row))
    },
  )

  app.patch(
    '/api/looks/:id',
    { schema: { params: lookParams, body: lookChange, response: { 200: keptLook } } },
    async ({ userId, params, body }) =>
      presentLook(await changeLook(deps, userId, params.id, body)),
  )

  app.delete('/api/looks/:id', { schema: { params: lookParams } }, async (request, reply) => {
    await forgetLook(deps, request.userId, request.params.id)
    return reply.code(204).send()
  })

  app.post(
    '/api/looks/:id/apply',
    {
      bodyLimit: SERIES_BODY_MAX,
      schema: { params: lookParams, body: lookedCodes, response: { 200: lookApplied } },
    },
    async (request) => {
      const { userId, params, body } = request
      const record = deps.recordFor(request)
      const apply = () => applyLook({ ...deps, record }, userId, params.id, body.ids)
      return { changed: await deps.inListTurn(request, apply) }
    },
  )
}
