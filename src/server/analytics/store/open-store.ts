import { sql } from 'kysely'
import type { Clock } from '../../clock.ts'
import type { Database, Location, ScansPlace } from '../../database/connect.ts'
import { threadConnection } from '../../database/thread-connection.ts'
import type { Check } from '../../doctor/finding.ts'
import { ClickHouse } from './clickhouse/clickhouse.ts'
import { clickhouseScans } from './clickhouse/clickhouse-scans.ts'
import { clickhouseCounts } from './clickhouse/counting.ts'
import { ClickHouseInbox } from './clickhouse/inbox.ts'
import { checkClickHouse } from './clickhouse/state.ts'
import { makeTables, refuseOld } from './clickhouse/tables.ts'
import { counting } from './count/count.ts'
import type { LedgerDeps } from './fold/folding-ledger.ts'
import { ScanReader } from './packs/reader.ts'
import type { ScansCounts, ScansStore } from './scans-store.ts'
import { sqlScans } from './sql-scans.ts'

/* The store that a location names: tables of our database, or ClickHouse beside it. */

/** Any number that no other lock of the database uses */
const PREPARING = 7_203_441_018

const placeIn = (location: Location) =>
  location.engine === 'postgres' ? location.scans : undefined

export function clickhouseInbox(location: Location, place: ScansPlace, deps: LedgerDeps) {
  const prepare = async () => {
    const db = threadConnection(location)
    await prepareScans({ db, location }).finally(() => db.destroy())
  }
  return new ClickHouseInbox({ prepare, clickhouse: new ClickHouse(place), ...deps })
}

/** @param cacheBytes how much a thread keeps of what it has decoded; the counter's as much as it likes */
export function openCounts(location: Location, cacheBytes?: number): ScansCounts {
  const place = placeIn(location)
  if (place) return clickhouseCounts(new ClickHouse(place))
  const database = { location, reads: threadConnection(location) }
  const reader = new ScanReader(database, cacheBytes)
  return { count: counting(database, reader), rows: (...asked) => reader.rows(...asked) }
}

/**
 * Makes the tables of ClickHouse, if scans go there: one process at a time.
 * @throws ConfigError for a server that is not fit for scans; ClickHouseFault for one that does not answer
 */
export async function prepareScans({ db, location }: Pick<Database, 'db' | 'location'>) {
  const place = placeIn(location)
  if (!place) return
  const clickhouse = new ClickHouse(place)
  try {
    await refuseOld(clickhouse)
    await db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${sql.lit(PREPARING)})`.execute(tx)
      await makeTables(clickhouse)
    })
  } finally {
    await clickhouse.close()
  }
}

/** Looks after ClickHouse, if scans go there. */
export function scansChecks(location: Location, clock: Clock): Check[] {
  const place = placeIn(location)
  return place ? [{ name: 'scans', look: () => checkClickHouse(place, clock) }] : []
}

export function openScans(database: Database, deps: Parameters<typeof sqlScans>[1]): ScansStore {
  const place = placeIn(database.location)
  const ledger = sqlScans(database, deps)
  return place ? clickhouseScans({ ...database, ...deps }, new ClickHouse(place), ledger) : ledger
}
