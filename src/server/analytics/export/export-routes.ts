import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
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
import { jsonPart, sendList } from '../../http/lists.ts'
import type { FairQueue } from '../../http/queue/fair-queue.ts'
import { type InTurn, queueUntilAnswered } from '../../http/queue/request-queue.ts'
import { attachment } from '../../pictures/file-names.ts'
import { type InCountTurn, orTooLong } from '../query/counter.ts'
import {
  type CodesFor,
  type CountedCode,
  type Query,
  type QueryDeps,
  resolveQuery,
} from '../query/query.ts'
import type { ScanTables } from './scan-tables.ts'

/** A code as a table names it */
export type ListedCode = CountedCode & {
  domain: string | null
  short_code: string
  vanity_url: string | null
  /** As JSON; null without one */
  rules: string | null
}

export type ExportDeps = QueryDeps & {
  publicUrl: string
  codesFor: CodesFor<ListedCode>
  /** The queue of what makes long lists and reports */
  inListTurn: InTurn
  /** The turn of what is counted */
  inTurn: InCountTurn
  tables: ScanTables
  /** The queue of whole tables */
  turns: FairQueue
}

type Asking = FastifyRequest & { query: FiguresQuery }

/** Each scan by itself, as a table for spreadsheets and programs. */
export async function exportRoutes(plain: FastifyInstance, deps: ExportDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { scans, codesFor, inListTurn, inTurn, tables, turns } = deps

  const file = { schema: { querystring: figuresQuery, response: { 200: scansFile } } }
  app.get('/api/analytics/scans', file, (request) =>
    inTurn(request, async (count) => {
      const asked = await queryOf(request)
      const { from, to } = asked.scans
      const starts = [from, to]
      const counted =
        from < to ? await count(asked.scans, { ask: 'points', starts, before: undefined }) : NONE
      return {
        name: nameOf(asked, request.query),
        from: isoOfQuarter(from),
        isCut: from > asked.range.from,
        scans: counted?.sums[0]?.scans ?? null,
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
    const { order, days, name } = await inListTurn(request, () => orderOf(request))
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
    const { order, days } = await inListTurn(request, () => orderOf(request))
    const [at = 0, skip = 0] = cursor.split('.').map(Number)
    const { items, next } = await tables.part(order, days, { at, skip, limit }, taker)
    return sendList(reply, jsonPart(items, next && `${next.at}.${next.skip}`))
  })

  /** As for the figures, but without the days whose single scans are gone. */
  async function queryOf({ query, actor: { workspaceId } }: Asking) {
    const asked = await resolveQuery(deps, query, { workspaceId, codesFor })
    const { from, to, firstCompleteDay } = asked.scans
    const kept = Math.min(Math.max(from, firstCompleteDay * QUARTERS_A_DAY), to)
    return { ...asked, scans: { ...asked.scans, from: kept } }
  }

  /** The table that a request asks for, the days in which it may have scans, and its name. */
  async function orderOf(request: Asking) {
    const asked = await queryOf(request)
    const { workspaceId, kind, filters, utm, from, to } = asked.scans
    const days = orTooLong(await scans.of(workspaceId).daysWithScans(asked.scans))
    const codes = asked.codes.map(({ id, name, domain, short_code, vanity_url, rules }) => ({
      id,
      name,
      link: shortLink(vanity_url ?? short_code, domain, deps.publicUrl),
      utm: asked.wordOf(id),
      rules: rules === null ? [] : JSON.parse(rules),
    }))
    const period = { from, to, offsets: asked.range.offsets, utmFrom: asked.utmFrom }
    const order = { workspaceId, kind, filters, utm, codes, ...period }
    return { order, days, name: nameOf(asked, request.query) }
  }
}

const NONE = { sums: [{ scans: 0 }] }

/** Named after the code and the days that it has. */
function nameOf({ codes, range, scans }: Query<ListedCode>, { qr, kind }: FiguresQuery): string {
  const dayOf = (quarter: number) =>
    dateText(Math.floor(shownAt(range.offsets, quarter) / QUARTERS_A_DAY))
  const days = { from: dayOf(scans.from), to: dayOf(Math.max(scans.from, scans.to - 1)) }
  const what = kind === 'people' ? 'scans' : 'bots'
  return figureFileName(
    { name: qr && codes.length === 1 ? codes[0]?.name : undefined, what, ...days },
    'csv',
  )
}
