import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import {
  type FiguresQuery,
  figuresQuery,
  scanList,
  scanListQuery,
  scansFile,
} from '#contract/analytics/figures.ts'
import { figureFileName } from '#contract/file-names.ts'
import { shortLink } from '#contract/links.ts'
import { dateText, isoOfQuarter, QUARTERS_A_DAY, shownAt } from '../../dates.ts'
import { jsonPart, sendList } from '../../http/json-list.ts'
import { takesKeys } from '../../http/policy/route-rules.ts'
import type { FairQueue } from '../../http/queue/fair-queue.ts'
import { type InTurn, queueUntilAnswered } from '../../http/queue/request-queue.ts'
import { attachment } from '../../pictures/file-names.ts'
import { orTooLong } from '../query/counter.ts'
import {
  type AskedCodes,
  type CodesFor,
  type CountedCode,
  type Query,
  type QueryDeps,
  resolveQuery,
  utmToday,
} from '../query/query.ts'
import type { Count } from '../store/scans-store.ts'
import type { ScanTables } from './scan-tables.ts'

/** A code as a table names it */
type Code = CountedCode & {
  domain: string | null
  short_code: string
  vanity_url: string | null
}

export type ExportDeps = QueryDeps & {
  publicUrl: string
  requireUser: onRequestHookHandler
  codesFor: CodesFor<Code>
  /** The queue of what makes long lists and reports */
  inListTurn: InTurn
  /** Does a request's work when the turn of its reader comes. */
  inCounterTurn: <T>(request: FastifyRequest, work: (count: Count) => Promise<T>) => Promise<T>
  tables: ScanTables
  /** The queue of whole tables */
  turns: FairQueue
}

/** Each scan by itself, as a table for spreadsheets and programs. */
export async function exportRoutes(plain: FastifyInstance, deps: ExportDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { scans, inListTurn, inCounterTurn, tables, turns } = deps
  app.addHook('onRequest', deps.requireUser)
  app.addHook('onRoute', takesKeys)

  const file = { schema: { querystring: figuresQuery, response: { 200: scansFile } } }
  app.get('/api/analytics/scans', file, (request) =>
    inCounterTurn(request, async (count) => {
      const asked = await queryOf(request)
      const { from, to } = asked.scans
      const counted =
        from < to &&
        (await count(asked.scans, {
          ask: 'points',
          starts: [from, to],
          before: undefined,
        }))
      return {
        name: nameOf(asked, request.query),
        from: isoOfQuarter(from),
        isCut: from > asked.range.from,
        scans: counted === false ? 0 : (counted?.sums[0]?.scans ?? null),
      }
    }),
  )

  // A HEAD would make a whole table that is thrown away.
  const table = {
    config: { origin: 'own' as const },
    exposeHeadRoute: false,
    schema: { querystring: figuresQuery },
  }
  app.get('/api/analytics/scans.csv', table, async (request, reply) => {
    const taker = await queueUntilAnswered(turns, request, reply)
    const { order, days, name } = await inListTurn(request, async () => {
      const asked = await queryOf(request)
      const days = orTooLong(await scans.daysWithScans(request.actor.workspaceId, asked.scans))
      return { order: await orderOf(asked), days, name: nameOf(asked, request.query) }
    })
    return reply
      .type('text/csv; charset=utf-8')
      .header('cache-control', 'private, no-store')
      .header('content-disposition', attachment(name))
      .send(Readable.from(tables.table(order, days, taker), { objectMode: false }))
  })

  const list = { schema: { querystring: scanListQuery, response: { 200: scanList } } }
  app.get('/api/analytics/scans.json', list, async (request, reply) => {
    const { cursor = '0.0', limit } = request.query
    const taker = await queueUntilAnswered(turns, request, reply)
    const { order, days } = await inListTurn(request, async () => {
      const asked = await queryOf(request)
      return {
        order: await orderOf(asked),
        days: orTooLong(await scans.daysWithScans(request.actor.workspaceId, asked.scans)),
      }
    })
    const [at = 0, skip = 0] = cursor.split('.').map(Number)
    const { items, next } = await tables.part(order, days, { at, skip, limit }, taker)
    return sendList(reply, jsonPart(items, next && `${next.at}.${next.skip}`))
  })

  /** As for the figures, but without the days whose single scans are gone. */
  async function queryOf({ query, actor }: FastifyRequest & { query: FiguresQuery }) {
    const codesOf = (asked: AskedCodes) => deps.codesFor(actor.workspaceId, asked)
    const asked = await resolveQuery(deps, query, { workspaceId: actor.workspaceId, codesOf })
    const { from, to, firstCompleteDay } = asked.scans
    const kept = Math.min(Math.max(from, firstCompleteDay * QUARTERS_A_DAY), to)
    return { ...asked, scans: { ...asked.scans, from: kept } }
  }

  async function orderOf({ codes, range, scans }: Query<Code>) {
    const { workspaceId, kind, filters, utm, from, to } = scans
    const { before, wordOf } = await utmToday(deps, codes, scans)
    const named = codes.map(({ id, name, domain, short_code, vanity_url }) => ({
      id,
      name,
      link: shortLink(vanity_url ?? short_code, domain, deps.publicUrl),
      utm: wordOf(id),
    }))
    const { offsets } = range
    return { workspaceId, kind, filters, utm, from, to, codes: named, offsets, utmFrom: before }
  }
}

/** Named after the code and the days that it has. */
function nameOf({ codes, range, scans }: Query<Code>, { qr, kind }: FiguresQuery): string {
  const dayOf = (quarter: number) =>
    dateText(Math.floor(shownAt(range.offsets, quarter) / QUARTERS_A_DAY))
  const days = { from: dayOf(scans.from), to: dayOf(Math.max(scans.from, scans.to - 1)) }
  const what = kind === 'people' ? 'scans' : 'bots'
  return figureFileName(
    { name: qr && codes.length === 1 ? codes[0]?.name : undefined, what, ...days },
    'csv',
  )
}
