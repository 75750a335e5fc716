import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { Db } from '../../../database/schema.ts'
import { monthOf, QUARTER_MS, QUARTERS_A_DAY, quarterOf } from '../../../dates.ts'
import { orMade } from '../../../or-made.ts'
import { AGREED, firstCompleteDay, KEPT_FROM, keptFrom, markOf, setMark } from '../ledger/marks.ts'
import { VISITOR_DAYS } from '../scan.ts'
import { idFromDay } from '../scan-ids.ts'
import { EVER, type Period } from '../scans-store.ts'
import type { ClickHouse } from './clickhouse.ts'
import { codesIn, type Part } from './own-scans.ts'

/*
 * Compares the ledger with ClickHouse by quarter-hours: the scans, or what sums of them add up to. Scans of purged codes
 * are left out, since each side removes them in its own time.
 */

/** Days are 16 bits there. A later scan is of a clock that was wrong. */
const DAYS_END = 2 ** 16

export type Copy = {
  database: Database
  clickhouse: ClickHouse
  /** Ends the copy, which throws then */
  signal: AbortSignal
  /** Called after each batch with its quarter-hour and the number of scans looked at so far */
  onBatch: (quarter: number, scans: number) => void
}

/** Scans of a quarter-hour on both sides */
export type Counted = { quarter: number; ledger: number; clickhouse: number }

/** How what one side lacks gets there */
type Way = {
  /** @throws if nothing may be copied */
  begin?: (differing: Counted[]) => Promise<void>
  /** Copies the sums of a month. */
  sums: (copy: Copy, month: number) => Promise<void>
  /** Copies the scans of a part of a UTC day. Calls `onBatch` with the number of those in each batch. */
  scans: (copy: Copy, period: Period) => Promise<void>
}

export const differs = ({ ledger, clickhouse }: Counted) => ledger !== clickhouse

/** The first UTC day of which both sides have single scans. Of those before it they have sums. */
export async function completeDay(db: Db): Promise<number> {
  return Math.max(await firstCompleteDay(db), await keptFrom(db))
}

/**
 * Copies one way, oldest first, where both sides differ. It may be killed at any moment and run again. Days that
 * agreed at the end of an earlier copy are not looked at again, but for the newest, into which scans may still come.
 * @returns what both sides have since then
 */
export async function copyOneWay(copy: Copy, way: Way): Promise<Counted[]> {
  const { db } = copy.database
  const complete = await completeDay(db)
  const kept = await keptFrom(db)
  const table = await tableId(copy.clickhouse)
  const mark = await markOf(db, AGREED)
  const agreed = mark?.place === table ? mark.at : 0
  const from = kept < complete ? Math.min(kept, agreed) : agreed
  const differing = (await countSides(copy, from, complete)).filter(differs)
  await way.begin?.(differing)
  const byDay = Map.groupBy(differing, ({ quarter }) => Math.floor(quarter / QUARTERS_A_DAY))
  const days = [...byDay.keys()]
  for (const month of new Set(days.filter((day) => day < complete).map(monthOf))) {
    copy.signal.throwIfAborted()
    await way.sums(copy, month)
  }
  await setMark(db, KEPT_FROM, complete)
  let scans = 0
  const onBatch = (quarter: number, some: number) => {
    copy.signal.throwIfAborted()
    scans += some
    copy.onBatch(quarter, scans)
  }
  for (const day of days.filter((day) => day >= complete)) {
    const quarters = byDay.get(day)?.map(({ quarter }) => quarter) ?? []
    const period = { from: quarters[0] ?? 0, to: (quarters.at(-1) ?? 0) + 1 }
    await way.scans({ ...copy, onBatch }, period)
  }
  const counted = await countSides(copy, from, complete)
  const end = Math.min(counted.find(differs)?.quarter ?? EVER.to, quarterOf(Date.now()))
  await setMark(db, AGREED, Math.floor(end / QUARTERS_A_DAY) - VISITOR_DAYS, table)
  return counted
}

/** Another one if the table was made again, or is on another server */
async function tableId(clickhouse: ClickHouse): Promise<string> {
  const sql = `select toString(uuid) as id from system.tables
    where database = currentDatabase() and name = 'scans'`
  return (await clickhouse.rows<{ id: string }>(sql))[0]?.id ?? ''
}

/** Rows of codes that are not purged */
export const living = (table: string): RawBuilder<boolean> =>
  sql`not exists (select from forgotten_codes where code_id = ${sql.ref(`${table}.code_id`)})`

/** The same in ClickHouse, where those are gone that were removed twice. */
export async function livingInClickHouse(db: Db): Promise<Part> {
  const codes = db.selectFrom('forgotten_codes').select('code_id')
  const rows = await codes.where('clickhouse_passes', '<', 2).execute()
  // Without any, their column is not read.
  if (rows.length === 0) return { sql: '1', params: {} }
  const purged = codesIn(
    'purged',
    rows.map(({ code_id }) => code_id),
  )
  return { ...purged, sql: `not (${purged.sql})` }
}

type Row = { quarter: number; scans: number }

/** The quarter-hours since the UTC day `from`, oldest first: of days before `complete` by their sums */
async function countSides(copy: Copy, from: number, complete: number): Promise<Counted[]> {
  const { db } = copy.database
  const live = Math.max(from, complete)
  const [fromQuarter, end] = [from * QUARTERS_A_DAY, complete * QUARTERS_A_DAY]
  const { rows } = await sql<Row>`
    select cast(at / ${sql.lit(QUARTER_MS)} as integer) as quarter, count(*) as scans from scans
    where id >= ${idFromDay(live)} and id < ${idFromDay(DAYS_END)}
      and ${living('scans')} group by 1
    union all
    select quarter, sum(persons + others) as scans from scan_counts
    where quarter >= ${fromQuarter} and quarter < ${end} and ${living('scan_counts')}
    group by 1`.execute(db)
  const codes = await livingInClickHouse(db)
  const there = await copy.clickhouse.rows<Row>(
    `select intDiv(at, ${QUARTER_MS}) as quarter, count() as scans from scans
      where day >= ${live} and ${codes.sql} group by quarter
    union all
    select quarter, sum(persons + others) as scans from scan_sums
      where quarter >= ${fromQuarter} and quarter < ${end} and ${codes.sql} group by quarter`,
    codes.params,
  )
  const sides = { ledger: rows, clickhouse: there }
  const counted = new Map<number, Counted>()
  for (const side of ['ledger', 'clickhouse'] as const) {
    for (const { quarter, scans } of sides[side]) {
      const none = () => ({ quarter, ledger: 0, clickhouse: 0 })
      orMade(counted, quarter, none)[side] = Number(scans)
    }
  }
  return [...counted.values()].sort((one, other) => one.quarter - other.quarter)
}
