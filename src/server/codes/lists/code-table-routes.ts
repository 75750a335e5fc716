import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { CODE_TABLE_BODY_MAX, codeTableAsked, codeTableQuery } from '#contract/codes.ts'
import { figureFileName } from '#contract/downloads/file-names.ts'
import type { Clock } from '../../clock.ts'
import { queues } from '../../http/limits/limits.ts'
import { FairQueue } from '../../http/queue/fair-queue.ts'
import type { InTurn } from '../../http/queue/request-queue.ts'
import { queueUntilAnswered } from '../../http/queue/request-queue.ts'
import { attachment } from '../../pictures/file-names.ts'
import { codeIdFrom } from '../codes-store.ts'
import { listIds } from './code-lists.ts'
import { type CodeTableSource, codeTable } from './code-table.ts'

export type CodeTableDeps = Pick<CodeTableSource, 'db' | 'publicUrl' | 'scansOf' | 'visitorsOf'> & {
  clock: Clock
  inListTurn: InTurn
}

const PATH = '/api/qr-codes/export.csv'

/** Codes with their scans as CSV: those of a list, or chosen ones. */
export function codeTableRoutes(plain: FastifyInstance, deps: CodeTableDeps) {
  const { db, clock, scansOf, inListTurn } = deps
  const app = plain.withTypeProvider<ZodTypeProvider>()
  // One table of an account at a time
  const turns = new FairQueue(queues.codeTables)

  // A HEAD would make the whole table in vain.
  const listed = {
    config: { origin: 'own' as const },
    exposeHeadRoute: false,
    schema: { querystring: codeTableQuery },
  }
  app.get(PATH, listed, async (request, reply) => {
    await queueUntilAnswered(turns, request, reply)
    const { userId, query } = request
    const asked = { userId, query, now: clock() }
    return send(request, reply, await inListTurn(request, () => listIds(db, scansOf, asked)))
  })

  // The body says which codes; nothing is changed.
  const chosen = { config: { key: 'read' as const }, bodyLimit: CODE_TABLE_BODY_MAX }
  app.post(PATH, { ...chosen, schema: { body: codeTableAsked } }, async (request, reply) => {
    const ids = [...new Set(request.body.ids.map(codeIdFrom))]
    await queueUntilAnswered(turns, request, reply)
    return send(request, reply, ids)
  })

  function send(request: FastifyRequest, reply: FastifyReply, ids: string[]) {
    const now = clock()
    const inTurn: CodeTableSource['inTurn'] = (work) => inListTurn(request, work)
    const table = codeTable({ ...deps, userId: request.userId, now, inTurn }, ids)
    const today = now.toISOString().slice(0, 'YYYY-MM-DD'.length)
    const name = figureFileName(
      { name: undefined, what: 'qr-codes', from: today, to: today },
      'csv',
    )
    return reply
      .type('text/csv; charset=utf-8')
      .header('cache-control', 'private, no-store')
      .header('content-disposition', attachment(name))
      .send(Readable.from(table, { objectMode: false }))
  }
}
