import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { imaginedAnswer, imaginedScan } from '#contract/codes/code-rules.ts'
import { tagOf } from '#contract/codes/code-values.ts'
import {
  binnedCode,
  binQuery,
  type CodeChange,
  codeChange,
  codeListQuery,
  codesChange,
  codesDeletion,
  codesDone,
  externalParams,
  newCode,
  partOf,
  type QrCode,
  qrCode,
} from '#contract/codes/codes.ts'
import { conditionHeaders, onceHeaders } from '#contract/request-headers.ts'
import { newSeries, SERIES_BODY_MAX } from '#contract/series/series.ts'
import { idParams, z } from '#contract/zod.ts'
import type { WorkspaceId } from '../database/ids.ts'
import { AppError } from '../http/errors.ts'
import { jsonList, jsonPart, sendList } from '../http/lists.ts'
import { takesKeys } from '../http/policy/route-rules.ts'
import { accountUseRoutes } from './account-use.ts'
import { changeCode, deleteCode, putCode, restoreCode, reviveCode } from './change-code.ts'
import { changeMany, deleteMany } from './change-many.ts'
import { codeHistoryRoutes } from './code-history.ts'
import { type Listed, listCodes, listTrash } from './code-lists.ts'
import { codeTableRoutes } from './code-table.ts'
import { type CodeRow, ownCode } from './codes-store.ts'
import { createCode, makeDraft } from './create-codes.ts'
import { createSeries } from './create-series.ts'
import { importRoutes } from './imports/import-routes.ts'
import { pictureRoutes } from './pictures/picture-routes.ts'
import { sheetRoutes } from './pictures/sheet-routes.ts'
import { presentCode, presentDeleted } from './presenter.ts'
import { styleRoutes } from './styles/style-routes.ts'
import { tagRoutes } from './tags/tag-routes.ts'
import { tagsOf } from './tags/tags-store.ts'
import { tryScan } from './try-scan.ts'
import type { CodeRoutesDeps } from './types.ts'

const oneCode = { 200: qrCode }
const codeList = z.union([z.array(qrCode), partOf(qrCode)])
const binList = z.union([z.array(binnedCode), partOf(binnedCode)])

export async function codeRoutes(plain: FastifyInstance, deps: CodeRoutesDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  app.addHook('onRequest', deps.requireUser)
  app.addHook('onRoute', takesKeys)

  /** A list as JSON, or a part of it with the cursor of the next one. */
  async function listJson<Row extends CodeRow>(
    workspaceId: WorkspaceId,
    { rows, nextCursor }: Listed<Row>,
    present: (row: Row, publicUrl: string, tags: string[]) => QrCode,
  ) {
    const ids = rows.map(({ id }) => id)
    const tagsBy = await tagsOf(deps.reads, workspaceId, ids)
    const items = await jsonList(rows, (row) => present(row, deps.publicUrl, tagsBy(row)))
    return nextCursor === undefined ? items : jsonPart(items, nextCursor)
  }

  /** Hashes the password of a change before its transaction, which must not wait for that. */
  async function hashed<Change extends Pick<CodeChange, 'password'>>(
    request: FastifyRequest,
    { password, ...change }: Change,
  ) {
    const passwordHash = password ? await deps.hashPassword(request, password) : password
    return { ...change, passwordHash }
  }

  app.get(
    '/api/qr-codes',
    { schema: { querystring: codeListQuery, response: { 200: codeList } } },
    async (request, reply) => {
      const { actor, query } = request
      const list = await deps.inListTurn(request, async () => {
        const asked = {
          workspaceId: actor.workspaceId,
          query,
          now: deps.clock(),
          publicUrl: deps.publicUrl,
        }
        const found = await listCodes(deps.reads, deps.scansOf, asked)
        if (found.total !== undefined) reply.header('x-total-count', found.total)
        return listJson(actor.workspaceId, found, presentCode)
      })
      return sendList(reply, list)
    },
  )

  app.post(
    '/api/qr-codes',
    { schema: { headers: onceHeaders, body: newCode, response: { 201: qrCode } } },
    async (request, reply) => {
      const code = await createCode(deps, request.actor, await hashed(request, request.body))
      reply.header('location', `/api/qr-codes/${code.id}`)
      return reply.code(201).send(withTag(reply, code))
    },
  )

  app.post(
    '/api/qr-codes/draft',
    { schema: { headers: onceHeaders, response: { 201: qrCode } } },
    async (request, reply) => {
      const draft = await makeDraft(deps, request.actor)
      return reply.code(201).send(draft)
    },
  )

  app.post(
    '/api/qr-codes/bulk',
    {
      bodyLimit: SERIES_BODY_MAX,
      schema: { headers: onceHeaders, body: newSeries, response: { 201: z.array(qrCode) } },
    },
    async (request, reply) => {
      const { actor, body } = request
      const list = await deps.inListTurn(request, () => createSeries(deps, actor, body))
      return sendList(reply.code(201), list)
    },
  )

  app.put(
    '/api/qr-codes/external/:externalId',
    {
      config: { takesAnswerBack: true },
      schema: {
        params: externalParams,
        headers: conditionHeaders,
        body: newCode,
        response: { 200: qrCode, 201: qrCode },
      },
    },
    async (request, reply) => {
      const { actor, params, headers, body } = request
      const wanted = await hashed(request, body)
      const asked = { wanted, headers, readOnly: request.readOnly ?? {} }
      const { code, isNew } = await putCode(deps, actor, params.externalId, asked)
      reply.header('location', `/api/qr-codes/${code.id}`)
      return reply.code(isNew ? 201 : 200).send(withTag(reply, code))
    },
  )

  const many = <Body extends z.ZodType>(body: Body) => ({
    bodyLimit: SERIES_BODY_MAX,
    schema: { headers: onceHeaders, body, response: { 200: codesDone } },
  })
  app.post('/api/qr-codes/bulk/change', many(codesChange), async (request) => {
    const { actor, body } = request
    const asked = { ...body, change: await hashed(request, body.change) }
    return deps.inListTurn(request, () => changeMany(deps, actor, asked))
  })
  app.post('/api/qr-codes/bulk/delete', many(codesDeletion), (request) => {
    const remove = () => deleteMany(deps, request.actor, request.body)
    return deps.inListTurn(request, remove)
  })

  app.get(
    '/api/qr-codes/bin',
    { schema: { querystring: binQuery, response: { 200: binList } } },
    async (request, reply) => {
      const { actor, query } = request
      const list = await deps.inListTurn(request, async () =>
        listJson(
          actor.workspaceId,
          await listTrash(deps.reads, actor.workspaceId, query),
          presentDeleted,
        ),
      )
      return sendList(reply, list)
    },
  )

  app.get(
    '/api/qr-codes/:id',
    { schema: { params: idParams, response: oneCode } },
    async (request, reply) => {
      const row = await ownCode(deps.db, request.actor.workspaceId, request.params.id)
      const tagsBy = await tagsOf(deps.db, request.actor.workspaceId, [row.id])
      return withTag(reply, presentCode(row, deps.publicUrl, tagsBy(row)))
    },
  )

  app.patch(
    '/api/qr-codes/:id',
    {
      config: { takesAnswerBack: true },
      schema: {
        params: idParams,
        headers: conditionHeaders,
        body: codeChange,
        response: oneCode,
      },
    },
    async (request, reply) => {
      const { actor, params, body, headers, readOnly } = request
      const conditions = { headers, readOnly: readOnly ?? {} }
      const change = await hashed(request, body)
      return withTag(reply, await changeCode(deps, actor, params.id, change, conditions))
    },
  )

  app.delete(
    '/api/qr-codes/:id',
    { schema: { params: idParams, headers: conditionHeaders } },
    async (request, reply) => {
      const { actor, params, headers } = request
      await deleteCode(deps, actor, params.id, headers)
      return reply.code(204).send()
    },
  )

  app.post(
    '/api/qr-codes/:id/restore',
    { schema: { params: idParams, response: oneCode } },
    async (request) => restoreCode(deps, request.actor, request.params.id),
  )

  app.post(
    '/api/qr-codes/:id/try',
    {
      config: { key: 'read' },
      schema: { params: idParams, body: imaginedScan, response: { 200: imaginedAnswer } },
    },
    async ({ actor, params, body }) => {
      const row = await ownCode(deps.db, actor.workspaceId, params.id)
      if (row.saved_at === null) throw new AppError('code_not_found')
      return tryScan(deps.decide, row, body, deps.clock())
    },
  )

  app.post(
    '/api/qr-codes/:id/revive',
    { schema: { params: idParams, response: oneCode } },
    async (request) => reviveCode(deps, request.actor, request.params.id),
  )

  codeHistoryRoutes(app, deps)
  pictureRoutes(app, deps)
  await importRoutes(app, deps)
  await styleRoutes(app, deps)
  tagRoutes(app, deps)
  sheetRoutes(app, deps)
  codeTableRoutes(app, deps)
  accountUseRoutes(app, deps)
}

/** Returns a code with the tag of its version, for a change's If-Match (RFC 9110 §8.8.3, §13.1.1). */
function withTag(reply: FastifyReply, code: QrCode): QrCode {
  reply.header('etag', tagOf(code.version))
  return code
}
