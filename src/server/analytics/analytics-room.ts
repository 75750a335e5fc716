import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/connect.ts'
import type { Db } from '../database/schema.ts'
import type { Metric } from '../http/operations.ts'
import type { Job } from '../jobs/job-runner.ts'
import type { Capture } from './capture/capture.ts'
import { Counter } from './figures/counter.ts'
import { figuresRoutes } from './figures/figures-routes.ts'
import { ledgerUpkeep } from './ledger/upkeep.ts'
import { type AnalyticsDeps, analyticsRoutes } from './reports/routes.ts'
import type { Series } from './reports/series.ts'

export type AnalyticsRoomDeps = Pick<AnalyticsDeps, 'clock' | 'requireUser' | 'inListTurn'> & {
  database: Database
  /** Months that the ledger goes back; undefined for ever */
  retentionMonths: number | undefined
  capture: Capture
  listSeries: (db: Db, userId: string) => Promise<Series[]>
  ownCode: (db: Db, userId: string, id: string) => Promise<{ id: string }>
}

/** What the scans say: the reports, the jobs on the ledger, and the counters of scans. */
export function analyticsRoom(deps: AnalyticsRoomDeps) {
  const { capture, database, clock, requireUser } = deps
  const { reads } = database
  /** A report has the scans that its reader has just made. */
  const inListTurn: AnalyticsDeps['inListTurn'] = (request, work) =>
    deps.inListTurn(request, async () => {
      await capture.caughtUp()
      return work()
    })
  const counter = new Counter(database.location)
  const ownCode: AnalyticsDeps['ownCode'] = (userId, id) => deps.ownCode(reads, userId, id)
  const seriesOf: AnalyticsDeps['seriesOf'] = (userId) => deps.listSeries(reads, userId)
  const jobs: Job[] = [ledgerUpkeep(deps), capture.salts.sweep()]
  return {
    routes: async (site: FastifyInstance) => {
      const asked = { reads, clock, requireUser, inListTurn, ownCode }
      await site.register(analyticsRoutes, { ...asked, seriesOf })
      await site.register(figuresRoutes, { ...asked, counter, codesOf: seriesOf })
    },
    jobs,
    metrics: (): Metric[] => [...capture.metrics(), ...counter.metrics()],
    stop: () => counter.stop(),
  }
}
