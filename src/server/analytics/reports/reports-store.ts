import { sql } from 'kysely'
import { DAY_MS } from '#contract/time.ts'
import type { Db } from '../../database/schema.ts'
import type { LocalDay } from './days.ts'
import type { DayCount } from './series.ts'

const QUARTERS_A_DAY = 96
/** Ids in one query, below the parameter limits of both engines. */
const IDS_MAX = 1_000

function chunks<T>(items: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}

export type Totals = { total: number; thisMonth: number }

/** Persons' scans of these codes, all of them and those since the quarter-hour `month`. */
export async function totals(db: Db, codeIds: string[], month: number): Promise<Totals> {
  const sum = { total: 0, thisMonth: 0 }
  for (const ids of chunks(codeIds, IDS_MAX)) {
    const row = await db
      .selectFrom('scan_counts')
      .select([
        sql<number | null>`sum(persons)`.as('total'),
        sql<number | null>`sum(case when quarter >= ${month} then persons else 0 end)`.as(
          'this_month',
        ),
      ])
      .where('code_id', 'in', ids)
      .executeTakeFirstOrThrow()
    sum.total += Number(row.total ?? 0)
    sum.thisMonth += Number(row.this_month ?? 0)
  }
  return sum
}

/** Persons' scans of each of these codes, without those that have none. */
export async function totalsByCode(db: Db, codeIds: string[]): Promise<Map<string, number>> {
  const sums = new Map<string, number>()
  for (const ids of chunks(codeIds, IDS_MAX)) {
    const rows = await db
      .selectFrom('scan_counts')
      .select(['code_id', sql<number>`sum(persons)`.as('scans')])
      .where('code_id', 'in', ids)
      .groupBy('code_id')
      .execute()
    for (const { code_id, scans } of rows) sums.set(code_id, Number(scans))
  }
  return sums
}

/** Persons' scans of a code by UTC day (yyyy-mm-dd), oldest first, without the days that have none. */
export async function totalsByDay(
  db: Db,
  codeId: string,
): Promise<{ date: string; scans: number }[]> {
  const day = sql<number>`quarter / ${sql.lit(QUARTERS_A_DAY)}`
  const rows = await db
    .selectFrom('scan_counts')
    .select([day.as('day'), sql<number>`sum(persons)`.as('scans')])
    .where('code_id', '=', codeId)
    .where('persons', '>', 0)
    .groupBy(day)
    .orderBy('day')
    .execute()
  return rows.map(({ day, scans }) => ({
    date: new Date(Number(day) * DAY_MS).toISOString().slice(0, 10),
    scans: Number(scans),
  }))
}

/** The values of a code's facet with the most scans by persons, most first. */
export async function topValues(
  db: Db,
  codeId: string,
  facet: string,
  limit: number,
): Promise<{ value: string; scans: number }[]> {
  const rows = await db
    .selectFrom('scan_facets')
    .select(['value', sql<number>`sum(persons)`.as('scans')])
    .where('code_id', '=', codeId)
    .where('facet', '=', facet)
    .groupBy('value')
    .orderBy('scans', 'desc')
    .orderBy('value')
    .limit(limit)
    .execute()
  return rows.map(({ value, scans }) => ({ value, scans: Number(scans) }))
}

/** Persons' scans by code and local day, without the pairs that have none. */
export async function dailyCounts(
  db: Db,
  codeIds: string[],
  days: LocalDay[],
): Promise<DayCount[]> {
  const calendar = sql.join(
    days.map(
      ({ from, to }, day) =>
        sql`select cast(${day} as integer), cast(${from} as integer), cast(${to} as integer)`,
    ),
    sql` union all `,
  )
  const counts: DayCount[] = []
  for (const ids of chunks(codeIds, IDS_MAX)) {
    const { rows } = await sql<{ code_id: string; day: number; scans: number }>`
      with calendar(day, start, stop) as (${calendar})
      select code_id, day, sum(persons) as scans
      from scan_counts
      inner join calendar on quarter >= start and quarter < stop
      where code_id in (${sql.join(ids)}) and persons > 0
        and quarter >= ${days[0]?.from ?? 0} and quarter < ${days.at(-1)?.to ?? 0}
      group by code_id, day`.execute(db)
    for (const row of rows) {
      counts.push({ codeId: row.code_id, day: Number(row.day), scans: Number(row.scans) })
    }
  }
  return counts
}
