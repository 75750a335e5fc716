import type { FastifyReply, FastifyRequest } from 'fastify'
import { BYTE_ORDER_MARK, csvLine } from '#contract/csv.ts'
import { safeFileStem } from '#contract/file-names.ts'
import {
  IMPORT_BODY_MAX,
  importEntry,
  importParams,
  importPublish,
  importQuery,
  importRows,
  importRowsQuery,
  importState,
  importTypes,
  madeImport,
} from '#contract/imports.ts'
import { z } from '#contract/zod.ts'
import { AppError } from '../../http/errors.ts'
import { queues } from '../../http/limits/limits.ts'
import { takeFiles } from '../../http/policy/route-rules.ts'
import { FairQueue } from '../../http/queue/fair-queue.ts'
import { queueUntilAnswered } from '../../http/queue/request-queue.ts'
import { attachment } from '../../pictures/file-names.ts'
import { zipStream } from '../../pictures/zip-stream.ts'
import { usedSlots } from '../codes-store.ts'
import { FILES_PER_CODE, fileHeaders, inParts } from '../pictures/codes-file.ts'
import { presentImport, presentRow } from '../presenter.ts'
import { importLimit } from '../rules.ts'
import type { Api, CodeRoutesDeps } from '../types.ts'
import { importPictures, refuseUnreadable } from './import-pictures.ts'
import {
  changeImport,
  type ImportRecord,
  listImports,
  ownImport,
  removeAbandoned,
  rowsFrom,
} from './imports-store.ts'
import { askPublish } from './publish-import.ts'
import { readImport } from './read-import.ts'

const TEMPLATE =
  BYTE_ORDER_MARK +
  csvLine(['Name', 'Destination', 'Custom URL', 'Tags']) +
  csvLine(['Summer menu', 'https://example.com/menu', 'summer-menu', 'Menus, Summer']) +
  csvLine(['Table 1', 'https://example.com/order?table=1', '', 'Tables'])

/** Codes out of a spreadsheet: read, shown with what is wrong, and made all at once. */
export async function importRoutes(app: Api, deps: CodeRoutesDeps) {
  const { db, clock } = deps
  const own = { schema: { params: importParams } }

  /** With how many codes the account has room for. */
  async function stateOf(record: ImportRecord) {
    const plan = await deps.entitlementsOf(db, record.user_id)
    const used = await usedSlots(db, record.user_id)
    return { ...presentImport(record), room: Math.max(0, importLimit(plan) - used) }
  }

  await app.register(async (scope) => fileRoute(scope, deps, stateOf))

  app.get('/api/imports/template.csv', (_request, reply) =>
    reply
      .header('content-disposition', attachment('tessera-template.csv'))
      .type('text/csv; charset=utf-8')
      .send(TEMPLATE),
  )

  app.get(
    '/api/imports',
    { schema: { response: { 200: z.array(importEntry) } } },
    async ({ userId }) => (await listImports(db, userId)).map(presentImport),
  )

  app.get(
    '/api/imports/:id',
    { schema: { params: importParams, response: { 200: importState } } },
    async ({ userId, params }) => stateOf(await ownImport(db, userId, params.id)),
  )

  app.get(
    '/api/imports/:id/rows',
    {
      schema: { params: importParams, querystring: importRowsQuery, response: { 200: importRows } },
    },
    async ({ userId, params, query }) => {
      const { id, state } = await ownImport(db, userId, params.id)
      const { limit, cursor = '0', only } = query
      const rows = await rowsFrom(db, id, { from: Number(cursor), limit: limit + 1, only })
      const next = rows[limit]
      return {
        items: rows.slice(0, limit).map((row) => presentRow(row, state)),
        nextCursor: next ? String(next.n) : null,
      }
    },
  )

  app.post(
    '/api/imports/:id/publish',
    { schema: { params: importParams, body: importPublish, response: { 202: importState } } },
    async (request, reply) => {
      const { userId, params, body } = request
      const asked = { userId, id: params.id, origin: deps.originOf(request) }
      const record = await askPublish(deps, asked, body)
      const state = await stateOf(record)
      deps.publishSoon(record.id)
      return reply.code(202).send(state)
    },
  )

  app.delete('/api/imports/:id', own, async ({ userId, params }, reply) => {
    const record = await ownImport(db, userId, params.id)
    const isTold = record.state === 'published' && record.told === record.rows
    const states = isTold ? (['published'] as const) : (['checked'] as const)
    if (!(await changeImport(db, { id: record.id, states }, { state: 'abandoned' }))) {
      throw new AppError('import_not_ready')
    }
    await removeAbandoned(db, userId)
    return reply.code(204).send()
  })

  app.get('/api/imports/:id/pictures.zip', own, async (request, reply) => {
    const record = await ownImport(db, request.userId, request.params.id)
    if (record.state !== 'published') throw new AppError('import_not_ready', NOT_MADE)
    const asker = await deps.sheetTurn(request, reply)
    const codes = await refuseUnreadable(deps, record, asker)
    const stem = safeFileStem(record.name.replace(/\.\w{1,5}$/, ''))
    return reply
      .headers(fileHeaders(`${stem}_qr_codes.zip`, FILES_PER_CODE * codes))
      .type('application/zip')
      .send(inParts(zipStream(importPictures(deps, record, asker), clock())))
  })
}

const NOT_MADE = 'The QR codes of this import are not there yet.'

/** POST /api/imports takes a file as it is. */
function fileRoute(
  app: Api,
  deps: CodeRoutesDeps,
  stateOf: (record: ImportRecord) => Promise<z.output<typeof importState>>,
) {
  const types = [...importTypes, 'application/json']
  takeFiles(app, types, 'Send a CSV file (Content-Type: text/csv).')
  const turns = new FairQueue(queues.imports)

  /** Before the file is read, so that an account fills no memory. */
  async function fileTurn(request: FastifyRequest, reply: FastifyReply) {
    await queueUntilAnswered(turns, request, reply, request.userId)
  }

  app.post(
    '/api/imports',
    {
      onRequest: fileTurn,
      bodyLimit: IMPORT_BODY_MAX,
      schema: { querystring: importQuery, response: { 201: madeImport } },
    },
    async (request, reply) => {
      const { userId, body, query } = request
      const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
      const { record, first } = await readImport(deps, userId, { ...query, bytes })
      const firstProblems = first.map((row) => presentRow(row, record.state))
      return reply.code(201).send({ ...(await stateOf(record)), firstProblems })
    },
  )
}
