import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { binQuery, wholeOrPart } from '#contract/codes/codes.ts'
import { BYTE_ORDER_MARK, csvLine } from '#contract/csv.ts'
import { safeFileStem } from '#contract/file-names.ts'
import type { ImportRowsQuery } from '#contract/imports.ts'
import {
  changedImportRow,
  IMPORT_BODY_MAX,
  importColumns,
  importEntry,
  importPublish,
  importQuery,
  importRowChange,
  importRowParams,
  importRows,
  importRowsQuery,
  importState,
  importTableQuery,
  importTypes,
  madeImport,
  workbookTypes,
} from '#contract/imports.ts'
import { idParams } from '#contract/zod.ts'
import { transactAs } from '../../actor.ts'
import type { Db, Tx } from '../../database/schema.ts'
import { AppError, toAppError } from '../../http/errors.ts'
import { queues } from '../../http/limits/limits.ts'
import { partOfList } from '../../http/lists.ts'
import { takeFiles } from '../../http/policy/route-rules.ts'
import { FairQueue } from '../../http/queue/fair-queue.ts'
import { queueUntilAnswered } from '../../http/queue/request-queue.ts'
import { attachment } from '../../pictures/file-names.ts'
import { zipStream } from '../../pictures/zip-stream.ts'
import { usedSlots } from '../codes-store.ts'
import { FILES_PER_CODE, fileHeaders, inParts } from '../pictures/codes-file.ts'
import { importLimit } from '../rules.ts'
import type { Api, CodeRoutesDeps } from '../types.ts'
import { changeRow } from './change-row.ts'
import { importPictures, refuseUnreadable } from './import-pictures.ts'
import { presentImport, presentRow } from './import-presenter.ts'
import {
  changeImport,
  type ImportRecord,
  listImports,
  ownImport,
  partsOf,
  removeAbandoned,
  rowsFrom,
} from './imports-store.ts'
import { askPublish } from './publish-import.ts'
import { readAgain, readImport } from './read-import.ts'

const TEMPLATE =
  BYTE_ORDER_MARK +
  csvLine(['Name', 'Destination', 'Custom URL', 'Tags']) +
  csvLine(['Summer menu', 'https://example.com/menu', 'summer-menu', 'Menus, Summer']) +
  csvLine(['Table 1', 'https://example.com/order?table=1', '', 'Tables'])

/** Codes out of a spreadsheet: read, shown with what is wrong, and created all at once. */
export async function importRoutes(app: Api, deps: CodeRoutesDeps) {
  const { db, clock } = deps
  const own = { schema: { params: idParams } }

  /** With how many codes the account has room for. */
  async function stateOf(record: ImportRecord) {
    const plan = await deps.entitlementsOf(db, record.workspace_id)
    const used = await usedSlots(db, record.workspace_id)
    return { ...presentImport(record), room: Math.max(0, importLimit(plan) - used) }
  }

  /** Imports that are being read, one at a time for each account */
  const turns = new FairQueue(queues.imports)
  const readingTurn = async (request: FastifyRequest, reply: FastifyReply) => {
    await queueUntilAnswered(turns, request, reply, request.actor.workspaceId)
  }
  const presentRead = async ({ record, first }: Awaited<ReturnType<typeof readImport>>) => ({
    ...(await stateOf(record)),
    firstProblems: first.map((row) => presentRow(row, record.state)),
  })

  /** POST /api/imports takes a file as it is. */
  await app.register(async (scope: Api) => {
    const types = [...importTypes, ...workbookTypes, 'application/json']
    takeFiles(scope, types, 'Send a CSV file (Content-Type: text/csv).')
    scope.post(
      '/api/imports',
      {
        // Before the file is read, so that an account fills no memory.
        onRequest: readingTurn,
        bodyLimit: IMPORT_BODY_MAX,
        errorHandler: (error, _request, _reply) => {
          throw toAppError(error).code === 'body_too_large'
            ? new AppError('body_too_large', FILE_TOO_LARGE)
            : error
        },
        schema: { querystring: importQuery, response: { 201: madeImport } },
      },
      async ({ actor, body, query }, reply) => {
        const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
        const read = await readImport(deps, actor, { ...query, bytes })
        return reply.code(201).send(await presentRead(read))
      },
    )
  })

  const columns = {
    preHandler: readingTurn,
    schema: { params: idParams, body: importColumns, response: { 201: madeImport } },
  }
  app.post('/api/imports/:id/columns', columns, async ({ actor, params, body }, reply) => {
    const read = await readAgain(deps, actor, params.id, body)
    return reply.code(201).send(await presentRead(read))
  })

  const rowChange = {
    schema: {
      params: importRowParams,
      body: importRowChange,
      response: { 200: changedImportRow },
    },
  }
  app.patch('/api/imports/:id/rows/:row', rowChange, async ({ actor, params, body }) => {
    const { record, row } = await changeRow(deps, actor, params, body)
    return { row: presentRow(row, record.state), import: await stateOf(record) }
  })

  const table = { schema: { params: idParams, querystring: importTableQuery } }
  app.get('/api/imports/:id/rows.csv', table, async ({ actor, params, query }, reply) => {
    const record = await ownImport(db, actor.workspaceId, params.id)
    return reply
      .header('content-disposition', attachment(`${stemOf(record)}_rows.csv`))
      .type('text/csv; charset=utf-8')
      .send(Readable.from(rowsTable(db, record, query.only), { objectMode: false }))
  })

  app.get('/api/imports/template.csv', (_request, reply) =>
    reply
      .header('content-disposition', attachment('tessera-template.csv'))
      .type('text/csv; charset=utf-8')
      .send(TEMPLATE),
  )

  const list = { schema: { querystring: binQuery, response: { 200: wholeOrPart(importEntry) } } }
  app.get('/api/imports', list, async ({ actor, query }) =>
    partOfList((await listImports(db, actor.workspaceId)).map(presentImport), query),
  )

  const one = { schema: { params: idParams, response: { 200: importState } } }
  app.get('/api/imports/:id', one, async ({ actor, params }) =>
    stateOf(await ownImport(db, actor.workspaceId, params.id)),
  )

  const someRows = {
    schema: { params: idParams, querystring: importRowsQuery, response: { 200: importRows } },
  }
  app.get('/api/imports/:id/rows', someRows, async ({ actor, params, query }) => {
    const { id, state } = await ownImport(db, actor.workspaceId, params.id)
    const { limit, cursor = '0', only } = query
    const rows = await rowsFrom(db, id, { from: Number(cursor), limit: limit + 1, only })
    const next = rows[limit]
    return {
      items: rows.slice(0, limit).map((row) => presentRow(row, state)),
      nextCursor: next ? String(next.n) : null,
    }
  })

  const publishing = {
    schema: { params: idParams, body: importPublish, response: { 202: importState } },
  }
  app.post('/api/imports/:id/publish', publishing, async (request, reply) => {
    const { actor, params, body } = request
    const record = await askPublish(deps, actor, params.id, body)
    const state = await stateOf(record)
    deps.publishSoon()
    return reply.code(202).send(state)
  })

  app.delete('/api/imports/:id', own, async ({ actor, params }, reply) => {
    const record = await ownImport(db, actor.workspaceId, params.id)
    const isTold = record.state === 'published' && record.told === record.rows
    const states = isTold ? (['published'] as const) : (['checked'] as const)
    const abandon = (tx: Tx) => changeImport(tx, { id: record.id, states }, { state: 'abandoned' })
    if (!(await transactAs(db, actor, abandon))) throw new AppError('import_not_ready')
    await removeAbandoned(db, actor.workspaceId)
    return reply.code(204).send()
  })

  app.get('/api/imports/:id/pictures.zip', own, async (request, reply) => {
    const record = await ownImport(db, request.actor.workspaceId, request.params.id)
    if (record.state !== 'published') throw new AppError('import_not_ready', NOT_MADE)
    const asker = await deps.sheetTurn(request, reply)
    const codes = await refuseUnreadable(deps, record, asker)
    return reply
      .headers(fileHeaders(`${stemOf(record)}_qr_codes.zip`, FILES_PER_CODE * codes))
      .type('application/zip')
      .send(inParts(zipStream(importPictures(deps, record, asker), clock())))
  })
}

const NOT_MADE = 'The QR codes of this import aren’t there yet.'
const FILE_TOO_LARGE = `A file has at most ${IMPORT_BODY_MAX / 2 ** 20} MB. Remove columns that you don’t need, or split it into several files.`

const stemOf = ({ name }: ImportRecord) => safeFileStem(name.replace(/\.\w{1,5}$/, ''))

/** Rows that are read at once */
const PART = 250

/** Rows of an import as a CSV file: their cells as they were sent, and what is wrong with them in one more column. */
export async function* rowsTable(db: Db, record: ImportRecord, only: ImportRowsQuery['only']) {
  const { columns } = presentImport(record)
  yield BYTE_ORDER_MARK + csvLine([...columns.map(({ name }) => name), 'Error'])
  for await (const rows of partsOf(db, record.id, { limit: PART, only })) {
    const lines = rows.map((row) => {
      const { problems, lostPath, losses } = presentRow(row, record.state)
      const messages = [...problems.map(({ message }) => message), lostPath, ...losses]
      const cells = JSON.parse(row.cells) as string[]
      return csvLine([
        ...columns.map((_, at) => cells[at] ?? ''),
        messages.filter((message) => message !== null).join('. '),
        // Still too many for the columns
        ...cells.slice(columns.length),
      ])
    })
    yield lines.join('')
  }
}
