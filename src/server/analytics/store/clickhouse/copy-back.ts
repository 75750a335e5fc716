import { sql } from 'kysely'
import { insertRows } from '../../../database/json-rows.ts'
import { transact } from '../../../database/transact.ts'
import { firstDayOfMonth, QUARTERS_A_DAY } from '../../../dates.ts'
import { ADD_TO_COUNTS, ADD_TO_FACETS } from '../fold/ledger-tables.ts'
import { keptFrom, raiseFirstCompleteDay } from '../ledger/marks.ts'
import { shareTotals } from '../ledger/totals.ts'
import { attributeNames, type Scan } from '../scan.ts'
import { scanId } from '../scan-ids.ts'
import type { Period } from '../scans-store.ts'
import { writeScans } from '../write-scans.ts'
import {
  type Copy,
  type Counted,
  completeDay,
  copyOneWay,
  livingInClickHouse,
} from './both-sides.ts'
import type { ClickHouse, Params } from './clickhouse.ts'
import { visitorOf } from './inbox.ts'
import { between, instantOf, type Part } from './own-scans.ts'
import { keepSums, monthsWithScans } from './upkeep.ts'

/** Rows that are read and written at once */
const ROWS_MAX = 50_000
/** Stands for an agent that is not stored. */
const NO_AGENT = 'not stored'

/** Copies ClickHouse's scans into ledger and rollups, beside the service that runs with it. */
export async function copyToLedger(copy: Copy): Promise<Counted[]> {
  const { db } = copy.database
  const complete = await completeDay(db)
  const kept = await keptFrom(db)
  for (const month of await monthsWithScans(copy.clickhouse)) {
    const first = firstDayOfMonth(month)
    if (first >= kept && first < complete) await keepSums(copy.clickhouse, month)
  }
  await raiseFirstCompleteDay(db, complete)
  return copyOneWay(copy, { sums: takeSums, scans: takePeriod })
}

type StoredScan = Omit<Scan, 'id' | 'agent'> & {
  workspace_id: string
  counter: number
  nonce: string
  agent: string | null
}

/** Pages are in the order of the table, so a visitor's first scan of a code comes first. */
const PLACE = 'workspace_id, code_id, at, counter, nonce'

/** Writes a part of a UTC day into the ledger, which leaves out what it has. */
async function takePeriod(copy: Copy, { from, to }: Period): Promise<void> {
  const { clickhouse, onBatch } = copy
  const period = between(instantOf(from), instantOf(to))
  const page = `select ${PLACE}, toString(visitor) as visitor, ${attributeNames} from scans
    where ${period.sql} and (${PLACE}) >
      ({w:String}, {code:String}, {last:Int64}, {counter:UInt32}, {nonce:String})
    order by ${PLACE} limit ${ROWS_MAX}`
  let place: Params = { w: '', code: '', last: 0, counter: 0, nonce: '' }
  let read = ROWS_MAX
  while (read === ROWS_MAX) {
    const rows = await clickhouse.rows<StoredScan>(page, { ...period.params, ...place })
    read = rows.length
    const last = rows.at(-1)
    if (!last) return
    const { workspace_id, code_id, at, counter, nonce } = last
    place = { w: workspace_id, code: code_id, last: at, counter, nonce }
    await writeRows(copy, rows)
    onBatch(from, read)
  }
}

async function writeRows({ database: { location } }: Copy, rows: StoredScan[]): Promise<void> {
  const ledger = location.engine === 'postgres' ? { ...location, scans: undefined } : location
  const { known = [], unknown = [] } = Object.groupBy(rows, ({ agent }) =>
    agent === null ? 'unknown' : 'known',
  )
  await writeScans(ledger, known.map(scanOf))
  await writeScans(ledger, unknown.map(scanOf), { agentsMax: 0 })
}

function scanOf({ workspace_id, counter, nonce, visitor, agent, ...scan }: StoredScan): Scan {
  return {
    ...scan,
    id: scanId(scan.at, counter, nonce),
    visitor: visitor === '0' ? null : visitorOf(BigInt(visitor ?? 0)),
    agent: agent ?? NO_AGENT,
  }
}

const COUNTS = ['code_id', 'quarter', 'persons', 'firsts', 'others'] as const
const FACETS = ['code_id', 'day', 'persons', 'facet', 'value'] as const

/** Puts the sums that ClickHouse has of a month in the place of those in the ledger. */
async function takeSums({ database, clickhouse }: Copy, month: number): Promise<void> {
  const [from, to] = [firstDayOfMonth(month), firstDayOfMonth(month + 1)]
  const quarters = `quarter >= ${from * QUARTERS_A_DAY} and quarter < ${to * QUARTERS_A_DAY}`
  const days = `day >= ${from} and day < ${to}`
  await transact(database.db, async (tx) => {
    await sql.raw(shareTotals).execute(tx)
    await tx.deleteFrom('totalled_codes').where('until', '>', from).execute()
    await sql`delete from scan_counts where ${sql.raw(quarters)}`.execute(tx)
    await sql`delete from scan_facets where ${sql.raw(days)}`.execute(tx)
    const codes = await livingInClickHouse(tx)
    const ask = (columns: readonly string[], source: string) =>
      pagesOf(clickhouse, {
        sql: `select ${columns} from ${source} and ${codes.sql} order by ${columns}`,
        params: codes.params,
      })
    for await (const rows of ask(COUNTS, `scan_sums where ${quarters}`)) {
      await insertRows(tx, 'scan_counts', COUNTS.slice(1), rows, sql.raw(ADD_TO_COUNTS))
    }
    // Scans without a value have a row in ClickHouse only.
    for await (const rows of ask(FACETS, `facet_sums where ${days} and value is not null`)) {
      await insertRows(tx, 'scan_facets', FACETS.slice(1, 3), rows, sql.raw(ADD_TO_FACETS))
    }
  })
}

async function* pagesOf(clickhouse: ClickHouse, { sql, params }: Part) {
  for (let offset = 0, read = ROWS_MAX; read === ROWS_MAX; offset += ROWS_MAX) {
    const page = `${sql} limit ${ROWS_MAX} offset ${offset}`
    const rows = await clickhouse.rows<Record<string, unknown>>(page, params)
    read = rows.length
    if (read > 0) yield rows
  }
}
