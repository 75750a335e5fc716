import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { tagOf } from '#contract/code-values.ts'
import {
  binnedCode,
  binQuery,
  codeChange,
  codeChangeHeaders,
  codeListQuery,
  codeParams,
  newCode,
  partOf,
  type QrCode,
  qrCode,
} from '#contract/codes.ts'
import { onceHeaders } from '#contract/programs/idempotency.ts'
import { z } from '#contract/zod.ts'
import { IdempotencyRecord, tellReplayed } from '../http/idempotency-record.ts'
import { jsonList, jsonPart, sendList } from '../http/json-list.ts'
import { takesKeys } from '../http/policy/route-rules.ts'
import type { InTurn } from '../http/queue/request-queue.ts'
import {
  changeCode,
  deleteCode,
  type LifecycleDeps,
  makeDraft,
  restoreCode,
} from './change-code.ts'
import { type CodeRow, codeIdFrom, type DeletedRow, listDeleted, ownCode } from './codes-store.ts'
import { makeCode } from './create/make-code.ts'
import { seriesRoutes } from './create/series-routes.ts'
import { binPart, codePart, isInParts } from './lists/code-parts.ts'
import { type CodeTableDeps, codeTableRoutes } from './lists/code-table-routes.ts'
import { askedList, type ScansOf } from './lists/list-by-scans.ts'
import { type PicturesDeps, pictureRoutes } from './pictures/picture-routes.ts'
import { proofRoutes } from './pictures/proof-routes.ts'
import { type SheetTurn, sheetRoutes } from './pictures/sheet-routes.ts'
import { presentBinned, presentCode } from './presenter.ts'
import { reviveCode } from './revival.ts'
import { type LogoRoutesDeps, logoRoutes } from './styles/logo-routes.ts'
import { lookRoutes } from './styles/style-routes.ts'
import { tagRoutes } from './tags/tag-routes.ts'
import { tagsOf } from './tags/tags-store.ts'

export type CodesDeps = Omit<LifecycleDeps, 'record'> &
  PicturesDeps &
  Pick<LogoRoutesDeps, 'uploads'> &
  Pick<CodeTableDeps, 'visitorsOf'> & {
    /** What the request's user does is written down for the account. */
    recordFor: (request: FastifyRequest) => LifecycleDeps['record']
    requireUser: onRequestHookHandler
    scansOf: ScansOf
    /** The queue of what makes long lists */
    inListTurn: InTurn
    sheetTurn: SheetTurn
    /** The routes of imports */
    imports: (scope: FastifyInstance) => Promise<void>
  }

const oneCode = { 200: qrCode }
const codeList = z.union([z.array(qrCode), partOf(qrCode)])
const binList = z.union([z.array(binnedCode), partOf(binnedCode)])

export async function codeRoutes(plain: FastifyInstance, deps: CodesDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  app.addHook('onRequest', deps.requireUser)
  app.addHook('onRoute', takesKeys)
  const by = (request: FastifyRequest) => ({ ...deps, record: deps.recordFor(request) })

  async function codesJson(userId: string, rows: CodeRow[]) {
    const tagsBy = await tagsOf(deps.db, userId, idsOf(rows))
    return jsonList(rows, (row) => presentCode(row, deps.publicUrl, tagsBy(row)))
  }

  async function binJson(userId: string, rows: DeletedRow[]) {
    const tagsBy = await tagsOf(deps.db, userId, idsOf(rows))
    return jsonList(rows, (row) => presentBinned(row, deps.publicUrl, tagsBy(row)))
  }

  app.get(
    '/api/qr-codes',
    { schema: { querystring: codeListQuery, response: { 200: codeList } } },
    async (request, reply) => {
      const list = await deps.inListTurn(request, async () => {
        const now = deps.clock()
        const { userId, query } = request
        const asked = { userId, query, now }
        if (isInParts(query)) {
          const { rows, nextCursor } = await codePart(deps.db, deps.scansOf, asked)
          return jsonPart(await codesJson(userId, rows), nextCursor)
        }
        const { rows, total } = await askedList(deps.db, deps.scansOf, asked)
        reply.header('x-total-count', total)
        return codesJson(userId, rows)
      })
      return sendList(reply, list)
    },
  )

  app.post(
    '/api/qr-codes',
    { schema: { headers: onceHeaders, body: newCode, response: { 201: qrCode } } },
    async (request, reply) => {
      const once = IdempotencyRecord.of(request, deps.clock)
      const made = await makeCode(by(request), request.userId, request.body, once)
      if (made.isReplayed) tellReplayed(reply)
      reply.header('location', `/api/qr-codes/${made.code.id}`)
      return reply.code(201).send(withTag(reply, made.code))
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
    { schema: { querystring: binQuery, response: { 200: binList } } },
    async (request, reply) => {
      const list = await deps.inListTurn(request, async () => {
        const { userId, query } = request
        if (isInParts(query)) {
          const { rows, nextCursor } = await binPart(deps.db, userId, query)
          return jsonPart(await binJson(userId, rows), nextCursor)
        }
        return binJson(userId, await listDeleted(deps.db, userId))
      })
      return sendList(reply, list)
    },
  )

  app.get(
    '/api/qr-codes/:id',
    { schema: { params: codeParams, response: oneCode } },
    async (request, reply) => {
      const row = await ownCode(deps.db, request.userId, request.params.id)
      const tagsBy = await tagsOf(deps.db, request.userId, [row.id])
      return withTag(reply, presentCode(row, deps.publicUrl, tagsBy(row)))
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

  app.delete(
    '/api/qr-codes/:id',
    { schema: { params: codeParams, headers: codeChangeHeaders } },
    async (request, reply) => {
      const { userId, params, headers } = request
      await deleteCode(by(request), userId, codeIdFrom(params.id), headers['if-match'])
      return reply.code(204).send()
    },
  )

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
  await deps.imports(app)
  lookRoutes(app, deps)
  tagRoutes(app, deps)
  proofRoutes(app, deps)
  seriesRoutes(app, deps)
  sheetRoutes(app, deps)
  codeTableRoutes(app, deps)
}

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

/** Answers a code with the tag of its version, for a change's If-Match (RFC 9110 §8.8.3, §13.1.1). */
function withTag(reply: FastifyReply, code: QrCode): QrCode {
  reply.header('etag', tagOf(code.version))
  return code
}
