import type { FastifyInstance } from 'fastify'
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
import type { CodeRoutesDeps } from '../types.ts'
import { applyStyle, changeStyle, deleteStyle, makeStyle, presentStyle } from './styles.ts'
import { listStyles } from './styles-store.ts'

/** The styles that an account keeps, and their use for many codes at once. */
export function styleRoutes(plain: FastifyInstance, deps: CodeRoutesDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()

  app.get('/api/looks', { schema: { response: { 200: z.array(keptLook) } } }, async (request) =>
    (await listStyles(deps.db, request.userId)).map(presentStyle),
  )

  app.post(
    '/api/looks',
    { schema: { body: newLook, response: { 201: keptLook } } },
    async (request, reply) => {
      const row = await makeStyle(deps, request.userId, request.body)
      return reply.code(201).send(presentStyle(row))
    },
  )

  app.patch(
    '/api/looks/:id',
    { schema: { params: lookParams, body: lookChange, response: { 200: keptLook } } },
    async ({ userId, params, body }) =>
      presentStyle(await changeStyle(deps, userId, params.id, body)),
  )

  app.delete('/api/looks/:id', { schema: { params: lookParams } }, async (request, reply) => {
    await deleteStyle(deps, request.userId, request.params.id)
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
      const apply = () => applyStyle({ ...deps, record }, userId, params.id, body.ids)
      return { changed: await deps.inListTurn(request, apply) }
    },
  )
}
