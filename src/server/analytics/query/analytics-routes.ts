import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import {
  analyticsQuery,
  BREAKDOWN_DAYS,
  BREAKDOWN_SERIES_MAX,
  codeAnalytics,
  dailyBreakdown,
  LATEST_SCAN_MS,
  latestScan,
  latestScanQuery,
  scansByCode,
  TOP_MAX,
  userAnalytics,
} from '#contract/analytics/analytics.ts'
import { idParams, type z } from '#contract/zod.ts'
import type { Clock } from '../../clock.ts'
import { iso, lastDays, monthStart } from '../../dates.ts'
import { listOfTexts, sendList } from '../../http/lists.ts'
import type { InTurn } from '../../http/queue/request-queue.ts'
import { type AccountScans, EVER, type ScansStore } from '../store/scans-store.ts'
import { breakdownRow, type Series } from './daily-breakdown.ts'
import { labelOf } from './labels.ts'
import type { CodesFor } from './query.ts'
import { seenScan } from './seen-scans.ts'
import type { SilencesOf } from './silences.ts'

/** So many days are made without a pause, also of 500 codes. */
const PART_DAYS = 5

export type AnalyticsDeps = {
  scans: ScansStore
  clock: Clock
  /** The queue of what makes long lists and reports */
  inListTurn: InTurn
  codesFor: CodesFor
  silencesOf: SilencesOf
  /** Called for a reader who may soon ask for more figures. */
  warmUp: () => void
}

export async function analyticsRoutes(plain: FastifyInstance, deps: AnalyticsDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { scans, clock, inListTurn, codesFor, silencesOf } = deps
  const answers = <Body extends z.ZodType>(body: Body) => ({
    schema: { querystring: analyticsQuery, response: { 200: body } },
  })

  /** Counts these codes together, in the months of a zone. */
  async function totalsOf(
    own: AccountScans,
    ids: string[],
    { tz }: z.output<typeof analyticsQuery>,
  ) {
    const now = clock()
    const [month, before] = [monthStart(tz, now), monthStart(tz, now, 1)]
    const periods = [EVER, { from: month, to: EVER.to }, { from: before, to: month }]
    const [totalScans = 0, scansThisMonth = 0, scansLastMonth = 0] = await own.sumsOf(ids, periods)
    return { totalScans, scansThisMonth, scansLastMonth }
  }

  app.get('/api/analytics/user', answers(userAnalytics), (request) =>
    inListTurn(request, async () => {
      deps.warmUp()
      const { workspaceId } = request.actor
      const ids = idsOf(await codesFor(workspaceId))
      const totals = await totalsOf(scans.of(workspaceId), ids, request.query)
      return { totalQrCodes: ids.length, ...totals }
    }),
  )

  const ofCode = { schema: { ...answers(codeAnalytics).schema, params: idParams } }
  app.get('/api/analytics/qr-code/:id', ofCode, (request) =>
    inListTurn(request, async () => {
      const { id } = request.params
      const { workspaceId } = request.actor
      const own = scans.of(workspaceId)
      await codesFor(workspaceId, { qr: id })
      const silence = (await silencesOf(workspaceId, [id])).get(id)
      const { scansLastMonth: _, ...totals } = await totalsOf(own, [id], request.query)
      const countries = await own.topFacets(id, 'country', TOP_MAX)
      const devices = await own.topFacets(id, 'device', TOP_MAX)
      return {
        ...totals,
        silentSince: iso(silence?.lastScan ?? null),
        topCountries: countries.map(({ value, scans }) => ({
          country: labelOf('country', value),
          countryCode: value,
          scans,
        })),
        topDevices: devices.map(({ value, scans }) => ({ device: value, scans })),
      }
    }),
  )

  const latest = { querystring: latestScanQuery, params: idParams, response: { 200: latestScan } }
  app.get('/api/analytics/qr-code/:id/latest', { schema: latest }, (request) =>
    inListTurn(request, async () => {
      const { id } = request.params
      const { workspaceId } = request.actor
      await codesFor(workspaceId, { qr: id })
      const bound = clock().getTime() - LATEST_SCAN_MS
      const after = Math.max(Date.parse(request.query.after), bound)
      const scan = await scans.of(workspaceId).latest(id, after)
      return { scan: scan ? seenScan(scan) : null }
    }),
  )

  app.get('/api/analytics/qr-codes', { schema: { response: { 200: scansByCode } } }, (request) =>
    inListTurn(request, async () => {
      const { workspaceId } = request.actor
      const ids = idsOf(await codesFor(workspaceId))
      const sums = await scans.of(workspaceId).scansByCode(ids)
      const silent = await silencesOf(workspaceId, ids)
      return [...sums].map(([id, { total, lastScan }]) => ({
        id,
        totalScans: total,
        lastScannedAt: iso(lastScan),
        silentSince: silent.has(id) ? iso(lastScan) : null,
      }))
    }),
  )

  app.get('/api/analytics/daily-breakdown', answers(dailyBreakdown), async (request, reply) => {
    const list = await inListTurn(request, async () => {
      const { actor, query } = request
      const days = lastDays(BREAKDOWN_DAYS, query.tz, clock())
      const codes = await codesFor(actor.workspaceId)
      const own = scans.of(actor.workspaceId)
      const counts = await own.scansByDays(idsOf(codes), query.tz, days)
      const shown =
        codes.length > BREAKDOWN_SERIES_MAX ? codes.filter(({ id }) => counts.has(id)) : codes
      return listOfTexts(days, breakdownRow(shown, counts), PART_DAYS)
    })
    return sendList(reply, list)
  })
}

const idsOf = (codes: Series[]) => codes.map(({ id }) => id)
