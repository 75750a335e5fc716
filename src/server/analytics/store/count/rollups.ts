import { type RawBuilder, sql } from 'kysely'
import type { Facet } from '#contract/analytics/figure-values.ts'
import type { Db } from '../../../database/schema.ts'
import { dateText, firstDayOfMonth, monthOf, QUARTER_MS, QUARTERS_A_DAY } from '../../../dates.ts'
import { facetNames } from '../scan.ts'
import { idFrom } from '../scan-ids.ts'
import { columnOf, facetValue } from '../scan-rows.ts'
import type { CodeScans, Period, Selection, Sums, Totals, ValueCount } from '../scans-store.ts'
import type { QuarterSums, Tally } from './tallies.ts'

/* Everything that is asked of the rollups and of their totals. Instants are quarter-hours. */

/** Ids in one query, below the parameter limits of both engines. */
const IDS_MAX = 1_000

/** Asks for some of these codes at a time. */
async function rowsOf<Row>(
  db: Db,
  codeIds: string[],
  ask: (ids: string[]) => RawBuilder<Row>,
): Promise<Row[]> {
  let rows: Row[] = []
  for (let at = 0; at < codeIds.length; at += IDS_MAX) {
    rows = rows.concat((await ask(codeIds.slice(at, at + IDS_MAX)).execute(db)).rows)
  }
  return rows
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
  // One statement sees the totals and the rollup as of one instant.
  const rows = await rowsOf(
    db,
    codeIds,
    (ids) => sql<Record<string, number | null>>`
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
      ) as parts`,
  )
  const sumOf = (name: string) => rows.reduce((sum, row) => sum + Number(row[name] ?? 0), 0)
  const [thisMonth = 0, both] = edges.map((_, index) => sumOf(`since${index}`))
  return {
    total: sumOf('total'),
    thisMonth,
    ...(both !== undefined && { lastMonth: both - thisMonth }),
  }
}

/** Columns of each of these codes, which read the mark of its totals as `until`. */
const ofEach = <Row>(db: Db, codeIds: string[], columns: RawBuilder<unknown>) =>
  rowsOf(
    db,
    codeIds,
    (ids) => sql<{ code_id: string } & Row>`
      with ${idsTable(ids)}
      select ids.code_id as code_id, ${columns}
      from ids left join totalled_codes on totalled_codes.code_id = ids.code_id`,
  )

/** A code costs a few reads of keys, however often it was scanned. */
export async function scansByCode(db: Db, codeIds: string[]): Promise<Map<string, CodeScans>> {
  const columns = sql`${sumOfEach('persons')} as total,
    (select quarter from scan_counts where scan_counts.code_id = ids.code_id and persons > 0
      order by quarter desc limit 1) as last`
  const rows = await ofEach<{ total: number; last: number | null }>(db, codeIds, columns)
  const scanned = rows.filter(({ last }) => last !== null)
  return new Map(
    scanned.map(({ code_id, total, last }) => [
      code_id,
      { total: Number(total), lastScan: Number(last) * QUARTER_MS },
    ]),
  )
}

export async function sumByCode(
  db: Db,
  codeIds: string[],
  column: 'persons' | 'firsts',
): Promise<Map<string, number>> {
  const rows = await ofEach<{ sum: number }>(db, codeIds, sql`${sumOfEach(column)} as sum`)
  const sums = rows.map(({ code_id, sum }) => [code_id, Number(sum)] as const)
  return new Map(sums.filter(([, sum]) => sum > 0))
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
  const rows = await rowsOf(
    db,
    codeIds,
    (ids) => sql<{ code_id: string } & Record<string, number | string | null>>`
      with ${idsTable(ids)},
      sums as materialized (select code_id, ${sql.join(sums)} from ids)
      select * from sums where coalesce(${sql.join(columns)}, null) is not null`,
  )
  const counts = rows.map(
    (row) => [row.code_id, periods.map((_, index) => Number(row[`d${index}`]))] as const,
  )
  return new Map(counts.filter(([, scans]) => scans.some((each) => each > 0)))
}

const columnOfKind = { people: 'persons', bots: 'others' } as const

/** Adds all scans of a kind that the rollup has of these codes in a period. */
export async function addCounts(
  db: Db,
  sums: QuarterSums,
  { codeIds, kind, from, to }: Pick<Selection, 'codeIds' | 'kind' | 'from' | 'to'>,
): Promise<void> {
  const rows = await rowsOf(
    db,
    codeIds,
    (ids) => sql<{ quarter: number } & Sums>`
      select quarter, sum(${sql.ref(columnOfKind[kind])}) as scans, sum(firsts) as visitors
      from scan_counts where code_id in (${sql.join(ids)}) and quarter >= ${from} and quarter < ${to}
      group by quarter`,
  )
  for (const row of rows) sums.add(row.quarter, Number(row.scans), Number(row.visitors))
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
  const scans = sql`${between(sql.lit(from), Math.min(first, to))} + ${between(behindTotals, to)}
    + coalesce((select sum(${column}) from scan_totals
      where scan_totals.code_id = totalled_codes.code_id
      and month >= ${sql.lit(months.from)} and month < ${sql.lit(months.to)}), 0) as scans`
  for (const row of await ofEach<{ scans: number | string }>(db, codeIds, scans)) {
    counts.add(row.code_id, Number(row.scans))
  }
}

/** The UTC months that a period has as a whole; `to` is the one behind the last of them. */
function wholeMonths({ from, to }: Period): Period {
  const monthAt = (quarter: number) => monthOf(Math.floor(quarter / QUARTERS_A_DAY))
  const first = monthAt(from - 1) + 1
  return { from: first, to: Math.max(first, monthAt(to)) }
}

const monthQuarter = (month: number) => firstDayOfMonth(month) * QUARTERS_A_DAY

export async function firstQuarter(db: Db, codeIds: string[]): Promise<number | undefined> {
  const rows = await rowsOf(
    db,
    codeIds,
    (ids) => sql<{ first: number | null }>`
      with ${idsTable(ids)}
      select min(quarter) as first from (
        select (select min(quarter) from scan_counts where scan_counts.code_id = ids.code_id) as quarter
        from ids) as firsts`,
  )
  const first = Math.min(...rows.map(({ first }) => first ?? Number.POSITIVE_INFINITY))
  return Number.isFinite(first) ? first : undefined
}

/** The last quarter-hour in which a code was scanned, by whomever. */
export async function lastQuarter(db: Db, codeId: string): Promise<number | undefined> {
  const counts = db.selectFrom('scan_counts').select('quarter').where('code_id', '=', codeId)
  return (await counts.orderBy('quarter', 'desc').limit(1).executeTakeFirst())?.quarter
}

/** The values of a code's facet with the most scans by persons, most first. */
export async function topFacets(
  db: Db,
  codeId: string,
  facet: string,
  limit: number,
): Promise<ValueCount[]> {
  const until = sql`(select until from totalled_codes where code_id = ${codeId})`
  const { rows } = await sql<ValueCount>`
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

/** Persons' scans by value of a facet, or by code and value, from the rollup of UTC days. */
const facetSums = <Key extends 'code_id' | 'value'>(
  db: Db,
  facet: string,
  { codeIds, from, to }: Pick<Selection, 'codeIds' | 'from' | 'to'>,
  ...keys: Key[]
) =>
  rowsOf(
    db,
    codeIds,
    (ids) => sql<Record<Key, string> & { scans: number }>`
      select ${sql.raw(keys.join())}, sum(persons) as scans from scan_facets
      where code_id in (${sql.join(ids)}) and day >= ${from / QUARTERS_A_DAY}
        and day < ${to / QUARTERS_A_DAY} and facet = ${facet}
      group by ${sql.raw(keys.join())}`,
  )

/** Adds persons' scans by value, and returns how many have one. */
export async function addFacets(
  db: Db,
  counts: Tally<string | null>,
  facet: Facet,
  asked: Pick<Selection, 'codeIds' | 'from' | 'to'>,
): Promise<number> {
  let named = 0
  for (const { value, scans } of await facetSums(db, columnOf(facet), asked, 'value')) {
    named += Number(scans)
    counts.add(facetValue(facet, value), Number(scans))
  }
  return named
}

/** Adds persons' scans by code and UTM word, as `utms` of packs has them. */
export async function addUtms(
  db: Db,
  counts: Tally<string>,
  asked: Pick<Selection, 'codeIds' | 'from' | 'to'>,
): Promise<void> {
  for (const { code_id, value, scans } of await facetSums(db, 'utm', asked, 'code_id', 'value')) {
    counts.add(`${code_id}\n${value}`, Number(scans))
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
