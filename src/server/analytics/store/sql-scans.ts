import type { Database } from '../../database/connect.ts'
import { dailySums } from './count/daily-sums.ts'
import { latestScan, newestScan, recentScans, scansAfter } from './count/recent-scans.ts'
import {
  firstQuarter,
  lastQuarter,
  scansByCode,
  sumsByCode,
  sumsOf,
  topFacets,
  totalsByDay,
} from './count/rollups.ts'
import { completeness } from './ledger/marks.ts'
import { daysWithScans } from './packs/reader.ts'
import { reclassify } from './repair/reclassify.ts'
import type { ScansStore } from './scans-store.ts'
import { forgetAccount, forgetScans, forgetVisitors } from './upkeep/forgotten-codes.ts'
import { ledgerUpkeep, type UpkeepDeps } from './upkeep/upkeep.ts'

/** Scans in tables of our database. @param deps.keepPacks in tests: does a step of the packs in this thread */
export function sqlScans(
  database: Database,
  deps: Pick<UpkeepDeps, 'clock' | 'keepPacks'>,
): ScansStore {
  const { reads } = database
  const scansByDays = dailySums(reads)
  return {
    completeness: () => completeness(reads),
    newest: () => newestScan(reads),
    of: (workspaceId) => ({
      first: (ids) => firstQuarter(reads, ids),
      last: (id) => lastQuarter(reads, id),
      sumsOf: (...asked) => sumsOf(reads, ...asked),
      scansByCode: (ids) => scansByCode(reads, ids),
      sumsByCode: (...asked) => sumsByCode(reads, ...asked),
      scansByDays: (codeIds, ...asked) => scansByDays({ workspaceId, codeIds }, ...asked),
      totalsByDay: (id) => totalsByDay(reads, id),
      topFacets: (...asked) => topFacets(reads, ...asked),
      latest: (...asked) => latestScan(reads, ...asked),
      recent: (...asked) => recentScans(reads, ...asked),
      daysWithScans: (period) => daysWithScans(reads, workspaceId, period),
    }),
    settledMs: 3_000,
    after: (part) => scansAfter(reads, part),
    forget: forgetScans,
    forgetAccount: (workspaceId) => forgetAccount(database, workspaceId),
    upkeep: (retentionMonths) => [
      ledgerUpkeep({ ...deps, database, retentionMonths }),
      forgetVisitors(database.db, deps.clock),
    ],
    reread: (...asked) => reclassify(database, ...asked),
  }
}
