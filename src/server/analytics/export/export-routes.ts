import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { type FiguresQuery, figuresQuery, scansFile } from '#contract/analytics/figures.ts'
import { figureFileName } from '#contract/downloads/file-names.ts'
import { DAY_MS } from '#contract/time.ts'
import { instantOf, QUARTERS_A_DAY, shownAt } from '../../dates.ts'
import { AppError } from '../../http/errors.ts'
import { takesKeys } from '../../http/policy/route-rules.ts'
import type { FairQueue } from '../../http/queue/fair-queue.ts'
import type { InTurn } from '../../http/queue/request-queue.ts'
import { hangUpSignal, leaveSiteQueue } from '../../http/queue/request-queue.ts'
import { attachment } from '../../pictures/file-names.ts'
import { type AskedDeps, type AskedScans, askedScans } from '../query/asked-scans.ts'
import type { Counter } from '../query/counter.ts'
import { daysWithScans, type ScanTables } from './scan-tables.ts'

/** What a table says of a code. */
type Code = { id: string; name: string; short_code: string }

export type ExportDeps = AskedDeps<Code> & {
  publicUrl: string
  requireUser: onRequestHookHandler
  /** The queue of what makes long lists and reports */
  inListTurn: InTurn
  counter: Counter
  tables: ScanTables
  /** The queue of whole tables */
  turns: FairQueue
}

/** Each scan by itself, as a table for spreadsheets and programs. */
export async function exportRoutes(plain: FastifyInstance, deps: ExportDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { reads, inListTurn, counter, tables, turns } = deps
  app.addHook('onRequest', deps.requireUser)
  app.addHook('onRoute', takesKeys)

  const file = { schema: { querystring: figuresQuery, response: { 200: scansFile } } }
  app.get('/api/analytics/scans', file, (request) =>
    inListTurn(request, async () => {
      const asked = await askedFor(request)
      const name = nameOf(asked, request.query)
      const scans = await countOf(asked, hangUpSignal(request))
      const { from } = asked.order
      return { name, from: instantOf(from), isCut: from > asked.range.from, scans }
    }),
  )

  // A HEAD would make the whole table for nobody.
  const table = {
    config: { origin: 'own' as const },
    exposeHeadRoute: false,
    schema: { querystring: figuresQuery },
  }
  app.get('/api/analytics/scans.csv', table, async (request, reply) => {
    leaveSiteQueue(request)
    const taker = { owner: request.rateLimitKey, signal: hangUpSignal(request) }
    reply.raw.once('close', await turns.begin(taker.owner, taker.signal))
    const { order, days, name } = await inListTurn(request, async () => {
      const asked = await askedFor(request)
      const days = await daysWithScans(reads, request.userId, asked.order)
      return { order: orderOf(asked), days, name: nameOf(asked, request.query) }
    })
    return reply
      .type('text/csv; charset=utf-8')
      .header('cache-control', 'private, no-store')
      .header('content-disposition', attachment(name))
      .send(Readable.from(tables.table(order, days, taker), { objectMode: false }))
  })

  /** As the figures; only that of days whose single scans are gone there is nothing to tell. */
  async function askedFor({ query, userId }: FastifyRequest & { query: FiguresQuery }) {
    const asked = await askedScans(deps, query, userId)
    const { from, to, firstCompleteDay } = asked.order
    const kept = Math.min(Math.max(from, firstCompleteDay * QUARTERS_A_DAY), to)
    return { ...asked, order: { ...asked.order, from: kept } }
  }

  async function countOf({ order }: AskedScans<Code>, signal: AbortSignal) {
    const { from, to } = order
    if (from === to) return 0
    const question = { ask: 'points' as const, starts: [from, to], before: undefined }
    try {
      const { sums } = await counter.count({ ...order, question }, signal)
      return sums[0]?.scans ?? 0
    } catch (error) {
      if (error instanceof AppError && error.code === 'range_too_long') return null
      throw error
    }
  }

  function orderOf({ codes, range, order }: AskedScans<Code>) {
    const { codeIds: _, firstCompleteDay: __, ...wanted } = order
    const named = codes.map(({ id, name, short_code }) => ({
      ...{ id, name },
      link: `${deps.publicUrl}/qr/${short_code}`,
    }))
    return { ...wanted, codes: named, offsets: range.offsets }
  }
}

/** Named after the code and the days that it has. */
function nameOf({ codes, range, order }: AskedScans<Code>, { qr, kind }: FiguresQuery): string {
  const dayOf = (quarter: number) => {
    const day = Math.floor(shownAt(range.offsets, quarter) / QUARTERS_A_DAY)
    return new Date(day * DAY_MS).toISOString().slice(0, 10)
  }
  const days = { from: dayOf(order.from), to: dayOf(Math.max(order.from, order.to - 1)) }
  const what = kind === 'people' ? 'scans' : 'bots'
  return figureFileName({ name: qr && codes[0]?.name, what, ...days }, 'csv')
}
