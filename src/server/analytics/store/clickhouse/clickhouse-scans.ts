import { MINUTE_MS, SECOND_MS } from '#contract/time.ts'
import type { Clock } from '../../../clock.ts'
import type { Database } from '../../../database/connect.ts'
import type { WorkspaceId } from '../../../database/ids.ts'
import {
  latestScanInClickHouse,
  newestScanInClickHouse,
  recentScansInClickHouse,
  scansAfterInClickHouse,
} from '../count/recent-scans.ts'
import {
  edgeQuarterInClickHouse,
  scansByCodeInClickHouse,
  sumsByCodeInClickHouse,
  sumsOfInClickHouse,
  topFacetsInClickHouse,
  totalsByDayInClickHouse,
} from '../count/rollups.ts'
import { completeness, keptFrom } from '../ledger/marks.ts'
import { daysWithScansInClickHouse } from '../packs/reader.ts'
import type { AccountScans, ScansStore } from '../scans-store.ts'
import { ClickHouse } from './clickhouse.ts'
import type { OwnScans } from './own-scans.ts'
import { rereadInClickHouse } from './reread.ts'
import { clickhouseMetrics } from './state.ts'
import { forgetAccountInClickHouse, purges, retention } from './upkeep.ts'

/** How long a statement of a job may take: the sums of a UTC day, or a change of a day's scans */
const JOB_MS = 10 * MINUTE_MS

/**
 * Scans in ClickHouse, and what PostgreSQL notes of them. A ledger that was there before is kept in order too.
 * @param ledger the scans in PostgreSQL
 */
export function clickhouseScans(
  database: Database & { clock: Clock },
  clickhouse: ClickHouse,
  ledger: ScansStore,
): ScansStore {
  const { reads } = database
  /** For jobs: what they wait for delays no screen. */
  const patient = new ClickHouse(clickhouse.place, { timeoutMs: JOB_MS })
  const completeDay = () => keptFrom(reads)

  function accountScans(own: OwnScans): AccountScans {
    return {
      first: (ids) => edgeQuarterInClickHouse(own, ids, 'min'),
      last: (id) => edgeQuarterInClickHouse(own, [id], 'max'),
      sumsOf: (...asked) => sumsOfInClickHouse(own, ...asked),
      scansByCode: (ids) => scansByCodeInClickHouse(own, ids),
      sumsByCode: (...asked) => sumsByCodeInClickHouse(own, ...asked),
      scansByDays: (ids, _zone, days) => sumsByCodeInClickHouse(own, ids, days),
      totalsByDay: (id) => totalsByDayInClickHouse(own, id),
      topFacets: (...asked) => topFacetsInClickHouse(own, ...asked),
      latest: (...asked) => latestScanInClickHouse(own, ...asked),
      recent: (...asked) => recentScansInClickHouse(own, ...asked),
      daysWithScans: (period) => daysWithScansInClickHouse(own, period),
    }
  }

  return {
    completeness: async () => ({
      ...(await completeness(reads)),
      firstCompleteDay: await completeDay(),
    }),
    newest: () => newestScanInClickHouse(clickhouse),
    of: (workspaceId) => accountScans({ clickhouse, workspaceId, completeDay }),
    // A batch waits for the one before it.
    settledMs: 10 * SECOND_MS,
    after: (part) => scansAfterInClickHouse(clickhouse, part),
    forget: ledger.forget,
    forgetAccount: async (workspaceId: WorkspaceId) => {
      await forgetAccountInClickHouse(patient, workspaceId)
      await ledger.forgetAccount(workspaceId)
    },
    metrics: clickhouseMetrics(clickhouse),
    upkeep: (months) => [
      ...ledger.upkeep(months),
      purges(database, patient),
      retention(database, patient, months),
    ],
    reread: (...asked) => rereadInClickHouse(database, patient, ...asked),
  }
}
