import { type RawBuilder, sql } from 'kysely'
import type { Facet } from '#contract/analytics/figure-values.ts'
import type { Db } from '../../database/schema.ts'
import { dateText, firstDayOfMonth, monthOf, QUARTER_MS, QUARTERS_A_DAY } from '../../dates.ts'
import { facetNames } from '../store/ledger/scan.ts'
import { idFrom } from '../store/ledger/scan-ids.ts'
import type { Period, Selection } from './scan-rows.ts'
import { columnOf, facetValue } from './scan-rows.ts'
import type { QuarterSums, Tally } from './tallies.ts'

/* Everything that is asked of the rollups and of their totals. Instants are quarter-hours. */

/** Ids in one query, below the parameter limits of both engines. */
const IDS_MAX = 1_000

function* chunks(ids: string[]): Generator<string[]> {
  for (let at = 0; at < ids.length; at += IDS_MAX) yield ids.slice(at, at + IDS_MAX)
}

/** No zone is further from UTC: Line Islands Time is 14 hours ahead. */
const ZONE_MAX = 14 * 4

/** No quarter-hour comes after it. */
const LAST_QUARTER = 2 ** 31 - 1

/**
 * A code's scans since a quarter-hour, of the days that are not in its totals. PostgreSQL cannot know
 * that `until` leaves only the last days. In a join it read the rollup of all codes; a sum of its own
 * goes by the key, and two bounds make it expect few rows, so that it compiles nothing.
 */
function sinceTotals(quarter: number) {
  const until = sql`until * ${sql.lit(QUARTERS_A_DAY)}`
  const from = sql.lit(quarter)
  return sql`(select sum(persons) from scan_counts where scan_counts.code_id = ids.code_id
    and quarter between case when ${until} > ${from} then ${until} else ${from} end
    and ${sql.lit(LAST_QUARTER)})`
}

/** `thisMonth` since the month's beginning; `lastMonth` is there if its beginning was given. */
export type Totals = { total: number; thisMonth: number; lastMonth?: number }

/** Codes as a table `ids`. */
const idsTable = (ids: string[]) => sql`ids(code_id) as (values (${sql.join(ids, sql`), (`)}))`

/** The beginning of a month in some zone, and the hours between it and UTC's. */
function monthEdge(start: number) {
  const month = monthOf(Math.floor((start + ZONE_MAX) / QUARTERS_A_DAY))
  const utcStart = firstDayOfMonth(month) * QUARTERS_A_DAY
  const [from, to] = [Math.min(start, utcStart), Math.max(start, utcStart)]
  return { month, utcStart, from, to, sign: sql.lit(start < utcStart ? 1 : -1) }
}

/**
 * Persons' scans of these codes: all, since the quarter-hour `month`, at which a month begins in some
 * zone, and in the month before, which begins at `before`. It reads the totals, the rollup of the days
 * that are not in them, and the hours between those beginnings and UTC's.
 */
export async function totals(
  db: Db,
  codeIds: string[],
  month: number,
  before?: number,
): Promise<Totals> {
  const edges = [month, ...(before === undefined ? [] : [before])].map(monthEdge)
  const columns = edges.map((_, index) => sql.raw(`since${index}`))
  const each = (value: (edge: (typeof edges)[number], index: number) => RawBuilder<unknown>) =>
    sql.join(edges.map((edge, index) => sql`${value(edge, index)} as ${columns[index]}`))
  let total = 0
  let since = edges.map(() => 0)
  for (const ids of chunks(codeIds)) {
    // One statement sees the totals and the rollup as of one instant.
    const { rows } = await sql<{ total: number | null } & Record<string, number | null>>`
      with ${idsTable(ids)}
      select sum(scans) as total, ${each((_, index) => sql`sum(${columns[index]})`)} from (
        select persons as scans,
          ${each(({ month }) => sql`case when month >= ${month} then persons else 0 end`)}
        from ids inner join totalled_codes on totalled_codes.code_id = ids.code_id
        inner join scan_totals on scan_totals.code_id = ids.code_id
        union all
        select ${sinceTotals(0)}, ${each(({ utcStart }) => sinceTotals(utcStart))}
        from ids left join totalled_codes on totalled_codes.code_id = ids.code_id
        ${sql.join(
          edges.map(
            ({ from, to }, at) => sql`union all
        select 0, ${each(({ sign }, index) => (index === at ? sql`${sign} * persons` : sql.lit(0)))}
        from ids inner join scan_counts on scan_counts.code_id = ids.code_id
          and quarter >= ${from} and quarter < ${to}`,
          ),
          sql` `,
        )}
      ) as parts`.execute(db)
    const [row] = rows
    total += Number(row?.total ?? 0)
    since = since.map((sum, index) => sum + Number(row?.[`since${index}`] ?? 0))
  }
  const [thisMonth = 0, both] = since
  return { total, thisMonth, ...(both !== undefined && { lastMonth: both - thisMonth }) }
}

export type CodeScans = { total: number; lastScan: number }

/**
 * Persons' scans of each of these codes, and the quarter-hour of the last one in epoch milliseconds,
 * without the codes that have none. A code costs a few reads of keys, however often it was scanned.
 */
export async function scansByCode(db: Db, codeIds: string[]): Promise<Map<string, CodeScans>> {
  const scans = new Map<string, CodeScans>()
  for (const ids of chunks(codeIds)) {
    const { rows } = await sql<{ code_id: string; total: number; last: number | null }>`
      with ${idsTable(ids)}
      select ids.code_id as code_id, ${sumOfEach('persons')} as total,
        (select quarter from scan_counts where scan_counts.code_id = ids.code_id and persons > 0
          order by quarter desc limit 1) as last
      from ids left join totalled_codes on totalled_codes.code_id = ids.code_id`.execute(db)
    for (const { code_id, total, last } of rows) {
      if (last !== null) {
        scans.set(code_id, { total: Number(total), lastScan: Number(last) * QUARTER_MS })
      }
    }
  }
  return scans
}

/** Persons' scans of each of these codes, or their visitors: one counts once a UTC day. */
export async function sumByCode(
  db: Db,
  codeIds: string[],
  column: 'persons' | 'firsts',
): Promise<Map<string, number>> {
  const sums = new Map<string, number>()
  for (const ids of chunks(codeIds)) {
    const { rows } = await sql<{ code_id: string; sum: number }>`
      with ${idsTable(ids)}
      select ids.code_id as code_id, ${sumOfEach(column)} as sum
      from ids left join totalled_codes on totalled_codes.code_id = ids.code_id`.execute(db)
    for (const { code_id, sum } of rows) if (Number(sum) > 0) sums.set(code_id, Number(sum))
  }
  return sums
}

/** Adds up a code's totals and the rollup of the days after them, in a query of `ids` and `totalled_codes`. */
function sumOfEach(column: 'persons' | 'firsts') {
  const sum = sql`coalesce(sum(${sql.ref(column)}), 0)`
  return sql`(select ${sum} from scan_totals where scan_totals.code_id = totalled_codes.code_id)
    + (select ${sum} from scan_counts where scan_counts.code_id = ids.code_id
      and quarter >= coalesce(until, 0) * ${sql.lit(QUARTERS_A_DAY)})`
}

/**
 * Persons' scans of a code by UTC day (yyyy-mm-dd), oldest first, without the days that have none. It
 * reads the whole history of the code: totals do not know days.
 */
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
    date: dateText(Number(day)),
    scans: Number(scans),
  }))
}

/**
 * Persons' scans of each of these codes in several periods, without the codes that have none. Each period
 * is a sum of its own over a range of the key: to group all rows costs more than twice as much. A code is
 * one row: a row for each of its days took longer to hand over than to sum. An empty period costs nothing.
 */
export async function scansByPeriods(
  db: Db,
  codeIds: string[],
  periods: Period[],
): Promise<Map<string, number[]>> {
  const columns = periods.map((_, index) => sql.raw(`d${index}`))
  const sums = periods.map(({ from, to }, index) =>
    from < to
      ? sql`(select sum(persons) from scan_counts where scan_counts.code_id = ids.code_id
          and quarter >= ${from} and quarter < ${to}) as ${columns[index]}`
      : sql`cast(null as bigint) as ${columns[index]}`,
  )
  const counts = new Map<string, number[]>()
  for (const ids of chunks(codeIds)) {
    const { rows } = await sql<{ code_id: string } & Record<string, number | string | null>>`
      with ${idsTable(ids)},
      sums as materialized (select code_id, ${sql.join(sums)} from ids)
      select * from sums where coalesce(${sql.join(columns)}, null) is not null`.execute(db)
    for (const row of rows) {
      const scans = periods.map((_, index) => Number(row[`d${index}`]))
      if (scans.some((each) => each > 0)) counts.set(row.code_id, scans)
    }
  }
  return counts
}

const columnOfKind = { people: 'persons', bots: 'others' } as const

/** Adds all scans of a kind that the rollup has of these codes in a period. */
export async function addCounts(
  db: Db,
  sums: QuarterSums,
  { codeIds, kind, from, to }: Pick<Selection, 'codeIds' | 'kind' | 'from' | 'to'>,
): Promise<void> {
  const column = sql.ref<number>(columnOfKind[kind])
  for (const ids of chunks(codeIds)) {
    const rows = await db
      .selectFrom('scan_counts')
      .select(['quarter', sql<number>`sum(${column})`.as('scans')])
      .select(sql<number>`sum(firsts)`.as('visitors'))
      .where('code_id', 'in', ids)
      .where('quarter', '>=', from)
      .where('quarter', '<', to)
      .groupBy('quarter')
      .execute()
    for (const row of rows) sums.add(row.quarter, Number(row.scans), Number(row.visitors))
  }
}

/**
 * Adds each code's scans of a kind in a period. UTC months that are in a code's totals as a whole are read
 * from them, else a year of many codes would be millions of rows.
 */
export async function addCodes(
  db: Db,
  counts: Tally<string>,
  { codeIds, kind, from, to }: Pick<Selection, 'codeIds' | 'kind' | 'from' | 'to'>,
): Promise<void> {
  const column = sql.ref(columnOfKind[kind])
  const months = wholeMonths({ from, to })
  const [first, last] = [monthQuarter(months.from), monthQuarter(months.to)]
  const between = (begin: RawBuilder<unknown>, end: number) =>
    sql`coalesce((select sum(${column}) from scan_counts where scan_counts.code_id = ids.code_id
      and quarter >= ${begin} and quarter < ${sql.lit(end)}), 0)`
  const until = sql`coalesce(until, 0) * ${sql.lit(QUARTERS_A_DAY)}`
  const behindTotals = sql`case when ${until} < ${sql.lit(first)} then ${sql.lit(first)}
    when ${until} > ${sql.lit(last)} then ${sql.lit(last)} else ${until} end`
  for (const ids of chunks(codeIds)) {
    const { rows } = await sql<{ code_id: string; scans: number | string }>`
      with ${idsTable(ids)}
      select ids.code_id as code_id,
        ${between(sql.lit(from), Math.min(first, to))} + ${between(behindTotals, to)}
        + coalesce((select sum(${column}) from scan_totals
          where scan_totals.code_id = totalled_codes.code_id
          and month >= ${sql.lit(months.from)} and month < ${sql.lit(months.to)}), 0) as scans
      from ids left join totalled_codes on totalled_codes.code_id = ids.code_id`.execute(db)
    for (const { code_id, scans } of rows) counts.add(code_id, Number(scans))
  }
}

/** The UTC months that a period has as a whole; `to` is the one behind the last of them. */
function wholeMonths({ from, to }: Period): Period {
  const monthAt = (quarter: number) => monthOf(Math.floor(quarter / QUARTERS_A_DAY))
  const first = monthAt(from - 1) + 1
  return { from: first, to: Math.max(first, monthAt(to)) }
}

const monthQuarter = (month: number) => firstDayOfMonth(month) * QUARTERS_A_DAY

/** The first quarter-hour in which one of these codes was scanned. */
export async function firstQuarter(db: Db, codeIds: string[]): Promise<number | undefined> {
  const found: number[] = []
  for (const ids of chunks(codeIds)) {
    const { rows } = await sql<{ first: number | null }>`
      select min(quarter) as first from (
        select (select min(quarter) from scan_counts where scan_counts.code_id = codes.id) as quarter
        from codes where id in (${sql.join(ids)})) as firsts`.execute(db)
    found.push(rows[0]?.first ?? Number.POSITIVE_INFINITY)
  }
  const first = Math.min(...found)
  return Number.isFinite(first) ? first : undefined
}

/** The values of a code's facet with the most scans by persons, most first. */
export async function topFacets(
  db: Db,
  codeId: string,
  facet: string,
  limit: number,
): Promise<{ value: string; scans: number }[]> {
  const until = sql`(select until from totalled_codes where code_id = ${codeId})`
  const { rows } = await sql<{ value: string; scans: number }>`
    select value, sum(persons) as scans from (
      select value, persons from facet_totals
      where code_id = ${codeId} and facet = ${facet} and ${until} is not null
      union all
      select value, persons from scan_facets
      where code_id = ${codeId} and day >= coalesce(${until}, 0) and facet = ${facet}
    ) as parts
    group by value order by scans desc, value limit ${limit}`.execute(db)
  return rows.map(({ value, scans }) => ({ value, scans: Number(scans) }))
}

const rolledUp = new Set<string>(facetNames)

export const isRolledUp = (facet: Facet) => rolledUp.has(columnOf(facet))

/** Adds persons' scans by value from the rollup of UTC days, and returns how many have one. */
export async function addFacets(
  db: Db,
  counts: Tally<string | null>,
  facet: Facet,
  { codeIds, from, to }: Pick<Selection, 'codeIds' | 'from' | 'to'>,
): Promise<number> {
  let named = 0
  for (const ids of chunks(codeIds)) {
    const rows = await db
      .selectFrom('scan_facets')
      .select(['value', sql<number>`sum(persons)`.as('scans')])
      .where('code_id', 'in', ids)
      .where('day', '>=', from / QUARTERS_A_DAY)
      .where('day', '<', to / QUARTERS_A_DAY)
      .where('facet', '=', columnOf(facet))
      .groupBy('value')
      .execute()
    for (const row of rows) {
      const scans = Number(row.scans)
      named += scans
      counts.add(facetValue(facet, row.value), scans)
    }
  }
  return named
}

/** Adds persons' scans by code and UTM word, as `utms` of packs has them, from the rollup of UTC days. */
export async function addUtms(
  db: Db,
  counts: Tally<string>,
  { codeIds, from, to }: Pick<Selection, 'codeIds' | 'from' | 'to'>,
): Promise<void> {
  for (const ids of chunks(codeIds)) {
    const rows = await db
      .selectFrom('scan_facets')
      .select(['code_id', 'value', sql<number>`sum(persons)`.as('scans')])
      .where('code_id', 'in', ids)
      .where('day', '>=', from / QUARTERS_A_DAY)
      .where('day', '<', to / QUARTERS_A_DAY)
      .where('facet', '=', 'utm')
      .groupBy(['code_id', 'value'])
      .execute()
    for (const row of rows) counts.add(`${row.code_id}\n${row.value}`, Number(row.scans))
  }
}

/**
 * The versions of the rules that judged the scans of a period, of all codes; none if it has no scan. They
 * only ever rise, so its first scan and its last one tell.
 */
export async function rulesIn(db: Db, { from, to }: Period): Promise<number[]> {
  const inPeriod = db
    .selectFrom('scans')
    .select('rule')
    .where('id', '>=', idFrom(from * QUARTER_MS))
    .where('id', '<', idFrom(to * QUARTER_MS))
    .limit(1)
  const first = await inPeriod.orderBy('id').executeTakeFirst()
  const last = await inPeriod.orderBy('id', 'desc').executeTakeFirst()
  const lowest = Number.parseInt(first?.rule ?? '', 10)
  const highest = Number.parseInt(last?.rule ?? '', 10)
  if (!(lowest <= highest)) return []
  return Array.from({ length: highest - lowest + 1 }, (_, above) => lowest + above)
}
