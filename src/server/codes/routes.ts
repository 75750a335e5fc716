import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { tagOf } from '#contract/code-values.ts'
import {
  binnedCode,
  codeChange,
  codeChangeHeaders,
  codeListQuery,
  codeParams,
  type QrCode,
  qrCode,
} from '#contract/codes.ts'
import { z } from '#contract/zod.ts'
import type { InTurn } from '../http/account-turns.ts'
import { jsonList, sendList } from '../http/json-list.ts'
import { codeIdFrom, listDeleted, ownCode } from './codes-store.ts'
import { changeCode, deleteCode, type LifecycleDeps, makeDraft, restoreCode } from './lifecycle.ts'
import { askedList, type ScansOf } from './list-by-scans.ts'
import { type LogoRoutesDeps, logoRoutes } from './logos/logo-routes.ts'
import { lookRoutes } from './looks/look-routes.ts'
import { type PicturesDeps, pictureRoutes } from './picture-routes.ts'
import { presentBinned, presentCode } from './presenter.ts'
import { proofRoutes } from './prints/proof-routes.ts'
import { reviveCode } from './revival.ts'
import { seriesRoutes } from './series/series-routes.ts'
import { sheetRoutes } from './series/sheet-routes.ts'

export type CodesDeps = Omit<LifecycleDeps, 'record'> &
  PicturesDeps &
  Pick<LogoRoutesDeps, 'uploads'> & {
    /** What the request's user does is written down for the account. */
    recordFor: (request: FastifyRequest) => LifecycleDeps['record']
    requireUser: onRequestHookHandler
    scansOf: ScansOf
    /** The queue of what makes long lists */
    inListTurn: InTurn
  }

const oneCode = { 200: qrCode }

export async function codeRoutes(plain: FastifyInstance, deps: CodesDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  app.addHook('onRequest', deps.requireUser)
  const by = (request: FastifyRequest) => ({ ...deps, record: deps.recordFor(request) })

  app.get(
    '/api/qr-codes',
    { schema: { querystring: codeListQuery, response: { 200: z.array(qrCode) } } },
    async (request, reply) => {
      const list = await deps.inListTurn(request, async () => {
        const now = deps.clock()
        const asked = { userId: request.userId, query: request.query, now }
        const { rows, total } = await askedList(deps.db, deps.scansOf, asked)
        reply.header('x-total-count', total)
        return jsonList(rows, (row) => presentCode(row, deps.publicUrl))
      })
      return sendList(reply, list)
    },
  )

  app.post(
    '/api/qr-codes/draft',
    { schema: { response: { 201: qrCode } } },
    async (request, reply) => {
      const draft = await makeDraft(by(request), request.userId)
      return reply.code(201).send(draft)
    },
  )

  app.get(
    '/api/qr-codes/bin',
    { schema: { response: { 200: z.array(binnedCode) } } },
    async (request, reply) => {
      const list = await deps.inListTurn(request, async () => {
        const rows = await listDeleted(deps.db, request.userId)
        return jsonList(rows, (row) => presentBinned(row, deps.publicUrl))
      })
      return sendList(reply, list)
    },
  )

  app.get(
    '/api/qr-codes/:id',
    { schema: { params: codeParams, response: oneCode } },
    async (request, reply) => {
      const row = await ownCode(deps.db, request.userId, request.params.id)
      return withTag(reply, presentCode(row, deps.publicUrl))
    },
  )

  app.patch(
    '/api/qr-codes/:id',
    {
      schema: {
        ...{ params: codeParams, headers: codeChangeHeaders, body: codeChange },
        response: oneCode,
      },
    },
    async (request, reply) => {
      const { userId, params, body, headers } = request
      const id = codeIdFrom(params.id)
      return withTag(reply, await changeCode(by(request), userId, id, body, headers['if-match']))
    },
  )

  app.delete('/api/qr-codes/:id', { schema: { params: codeParams } }, async (request, reply) => {
    await deleteCode(by(request), request.userId, codeIdFrom(request.params.id))
    return reply.code(204).send()
  })

  app.post(
    '/api/qr-codes/:id/restore',
    { schema: { params: codeParams, response: oneCode } },
    async (request) => restoreCode(by(request), request.userId, codeIdFrom(request.params.id)),
  )

  app.post(
    '/api/qr-codes/:id/revive',
    { schema: { params: codeParams, response: oneCode } },
    async (request) => reviveCode(by(request), request.userId, codeIdFrom(request.params.id)),
  )

  pictureRoutes(app, deps)
  await app.register(logoRoutes, deps)
  lookRoutes(app, deps)
  proofRoutes(app, deps)
  seriesRoutes(app, deps)
  sheetRoutes(app, deps)
}

/** Answers a code with the tag of its version, for a change's If-Match (RFC 9110 §8.8.3, §13.1.1). */
function withTag(reply: FastifyReply, code: QrCode): QrCode {
  reply.header('etag', tagOf(code.version))
  return code
}
