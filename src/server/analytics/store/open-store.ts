import type { Database, Location } from '../../database/connect.ts'
import { threadConnection } from '../../database/thread-connection.ts'
import { ClickHouse } from './clickhouse/clickhouse.ts'
import { clickhouseScans } from './clickhouse/clickhouse-scans.ts'
import { clickhouseCounts } from './clickhouse/counting.ts'
import { ClickHouseInbox } from './clickhouse/inbox.ts'
import { counting } from './count/count.ts'
import { FoldingLedger, type LedgerDeps, openTables } from './fold/folding-ledger.ts'
import { ScanReader } from './packs/reader.ts'
import type { ScansCounts, ScansInbox, ScansStore } from './scans-store.ts'
import { sqlScans } from './sql-scans.ts'

/* The store that a location names: tables of our database, or ClickHouse beside it. */

const placeIn = (location: Location) =>
  location.engine === 'postgres' ? location.scans : undefined

export function openInbox(location: Location, deps: Omit<LedgerDeps, 'open'>): ScansInbox {
  const place = placeIn(location)
  const open = () => openTables(location)
  if (!place) return new FoldingLedger({ open, ...deps })
  return new ClickHouseInbox({ open, clickhouse: new ClickHouse(place), ...deps })
}

/** @param cacheBytes how much a thread keeps of what it has decoded; the counter's as much as it likes */
export function openCounts(location: Location, cacheBytes?: number): ScansCounts {
  const place = placeIn(location)
  if (place) return clickhouseCounts(new ClickHouse(place))
  const database = { location, reads: threadConnection(location) }
  const reader = new ScanReader(database, cacheBytes)
  return { count: counting(database, reader), rows: (...asked) => reader.rows(...asked) }
}

export function openScans(database: Database, deps: Parameters<typeof sqlScans>[1]): ScansStore {
  const place = placeIn(database.location)
  const ledger = sqlScans(database, deps)
  return place ? clickhouseScans({ ...database, ...deps }, new ClickHouse(place), ledger) : ledger
}
