import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/connect.ts'
import type { Db } from '../database/schema.ts'
import type { Metric } from '../http/operations.ts'
import type { Job } from '../jobs/job-runner.ts'
import type { Capture } from './capture/capture.ts'
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
  const jobs: Job[] = [ledgerUpkeep(deps), capture.salts.sweep()]
  return {
    routes: (site: FastifyInstance) =>
      analyticsRoutes(site, {
        ...{ reads, clock, requireUser, inListTurn },
        seriesOf: (userId) => deps.listSeries(reads, userId),
        ownCode: (userId, id) => deps.ownCode(reads, userId, id),
      }),
    jobs,
    metrics: (): Metric[] => capture.metrics(),
  }
}
