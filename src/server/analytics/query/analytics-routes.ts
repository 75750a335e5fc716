import type { FastifyInstance, onRequestHookHandler } from 'fastify'
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
import { codeParams } from '#contract/codes.ts'
import type { z } from '#contract/zod.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/schema.ts'
import { lastDays, monthStart } from '../../dates.ts'
import { listOfTexts, sendList } from '../../http/json-list.ts'
import { takesKeys } from '../../http/policy/route-rules.ts'
import type { InTurn } from '../../http/queue/request-queue.ts'
import { countryName } from './countries.ts'
import { DailyBreakdowns } from './daily-breakdowns.ts'
import { latestPersonsScan } from './latest-scan.ts'
import { scansByCode as scansOf, topValues, totals } from './reports-store.ts'
import { breakdownRow, type Series } from './series.ts'

/** Of 500 codes and more, so many days are made without a pause. */
const PART_DAYS = 5

export type AnalyticsDeps = {
  /** The handle for long reports. */
  reads: Db
  clock: Clock
  requireUser: onRequestHookHandler
  /** The queue of what makes long lists and reports */
  inListTurn: InTurn
  /** Somebody is looking at an account's figures, and may ask for more of them. */
  onLook: () => void
  /** The account's listed codes, oldest first. */
  seriesOf: (userId: string) => Promise<Series[]>
  /** The account's listed code with this id. @throws AppError code_not_found */
  ownCode: (userId: string, id: string) => Promise<{ id: string }>
}

export async function analyticsRoutes(plain: FastifyInstance, deps: AnalyticsDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { reads, clock, inListTurn } = deps
  const breakdowns = new DailyBreakdowns(reads)
  app.addHook('onRequest', deps.requireUser)
  app.addHook('onRoute', takesKeys)
  const answers = <Body extends z.ZodType>(body: Body) => ({
    schema: { querystring: analyticsQuery, response: { 200: body } },
  })

  app.get('/api/analytics/user', answers(userAnalytics), (request) =>
    inListTurn(request, async () => {
      deps.onLook()
      const codes = await deps.seriesOf(request.userId)
      const now = clock()
      const month = monthStart(request.query.tz, now)
      const before = monthStart(request.query.tz, now, 1)
      const sums = await totals(reads, idsOf(codes), month, before)
      return {
        totalQrCodes: codes.length,
        totalScans: sums.total,
        scansThisMonth: sums.thisMonth,
        scansLastMonth: sums.lastMonth,
      }
    }),
  )

  const ofCode = { schema: { ...answers(codeAnalytics).schema, params: codeParams } }
  app.get('/api/analytics/qr-code/:id', ofCode, (request) =>
    inListTurn(request, async () => {
      const { id } = await deps.ownCode(request.userId, request.params.id)
      const month = monthStart(request.query.tz, clock())
      const { total, thisMonth } = await totals(reads, [id], month)
      const countries = await topValues(reads, id, 'country', TOP_MAX)
      const devices = await topValues(reads, id, 'device', TOP_MAX)
      return {
        totalScans: total,
        scansThisMonth: thisMonth,
        topCountries: countries.map(({ value, scans }) => ({
          country: countryName(value),
          countryCode: value,
          scans,
        })),
        topDevices: devices.map(({ value, scans }) => ({ device: value, scans })),
      }
    }),
  )

  const latest = { querystring: latestScanQuery, params: codeParams, response: { 200: latestScan } }
  app.get('/api/analytics/qr-code/:id/latest', { schema: latest }, (request) =>
    inListTurn(request, async () => {
      const { id } = await deps.ownCode(request.userId, request.params.id)
      const bound = clock().getTime() - LATEST_SCAN_MS
      const after = Math.max(Date.parse(request.query.after), bound)
      const scan = await latestPersonsScan(reads, id, after)
      if (!scan) return { scan: null }
      const { at, city, country, device, os } = scan
      const place = { city, country: country && countryName(country) }
      return { scan: { at: new Date(at).toISOString(), place, device, os } }
    }),
  )

  app.get('/api/analytics/qr-codes', { schema: { response: { 200: scansByCode } } }, (request) =>
    inListTurn(request, async () => {
      const scans = await scansOf(reads, idsOf(await deps.seriesOf(request.userId)))
      return [...scans].map(([id, { total, lastScan }]) => ({
        ...{ id, totalScans: total },
        lastScannedAt: new Date(lastScan).toISOString(),
      }))
    }),
  )

  app.get('/api/analytics/daily-breakdown', answers(dailyBreakdown), async (request, reply) => {
    const list = await inListTurn(request, async () => {
      const { userId, query } = request
      const days = lastDays(BREAKDOWN_DAYS, query.tz, clock())
      const codes = await deps.seriesOf(userId)
      const counts = await breakdowns.of(userId, idsOf(codes), query.tz, days)
      const shown =
        codes.length > BREAKDOWN_SERIES_MAX ? codes.filter(({ id }) => counts.has(id)) : codes
      return listOfTexts(days, breakdownRow(shown, counts), PART_DAYS)
    })
    return sendList(reply, list)
  })
}

const idsOf = (codes: Series[]) => codes.map(({ id }) => id)
