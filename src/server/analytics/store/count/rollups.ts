import { type RawBuilder, sql } from 'kysely'
import type { Facet } from '#contract/analytics/figure-values.ts'
import { batchesOf } from '../../../batches.ts'
import type { Db } from '../../../database/schema.ts'
import { dateText, firstDayOfMonth, monthOf, QUARTER_MS, QUARTERS_A_DAY } from '../../../dates.ts'
import { ask, type OwnScans, ofCodes, PERSON, quarterSums } from '../clickhouse/own-scans.ts'
import { facetNames } from '../scan.ts'
import { idFrom } from '../scan-ids.ts'
import { columnOf, facetValue } from '../scan-rows.ts'
import {
  type CodeScans,
  EVER,
  type Period,
  type Selection,
  type Sums,
  type ValueCount,
} from '../scans-store.ts'
import type { QuarterSums, Tally } from './tallies.ts'

/* Everything that is asked of the rollups and of their totals. Instants are quarter-hours. */

/** Ids in one query, below the parameter limits of both engines. */
const IDS_MAX = 1_000

/** Asks for some of these codes at a time. */
async function rowsOf<Row>(db: Db, codeIds: string[], ask: (ids: string[]) => RawBuilder<Row>) {
  let rows: Row[] = []
  for (const ids of batchesOf(codeIds, IDS_MAX)) {
    rows = rows.concat((await ask(ids).execute(db)).rows)
  }
  return rows
}

/** Codes as a table `ids`. */
const idsTable = (ids: string[]) => sql`ids(code_id) as (values (${sql.join(ids, sql`), (`)}))`

type Column = 'persons' | 'firsts' | 'others'

/**
 * A code's sum of a period, in a query of `ids` and `totalled_codes`. UTC months are read from its totals, else a
 * year of many codes would be millions of rows. What the period has more or less than these months is added or
 * taken away: a month in another zone differs by hours. PostgreSQL cannot know that `until` leaves only the last
 * days: a sum of its own goes by the key, and two bounds make it expect few rows, so that it compiles nothing.
 */
function sumIn({ from, to }: Period, column: Column) {
  const sum = sql`coalesce(sum(${sql.ref(column)}), 0)`
  const between = (begin: RawBuilder<unknown>, end: number) =>
    sql`(select ${sum} from scan_counts where scan_counts.code_id = ids.code_id
      and quarter >= ${begin} and quarter < ${sql.lit(end)})`
  const edge = (begin: number, end: number) => {
    if (begin === end) return sql``
    return begin < end
      ? sql` + ${between(sql.lit(begin), end)}`
      : sql` - ${between(sql.lit(end), begin)}`
  }
  if (from >= to) return sql`0`
  const months = { from: nearestMonth(from), to: nearestMonth(to) }
  const [first, last] = [monthQuarter(months.from), monthQuarter(months.to)]
  const atEdges = Math.abs(first - from) + Math.abs(to - last)
  // The totals save nothing then.
  if (2 * atEdges >= to - from) return between(sql.lit(from), to)
  const until = sql`coalesce(until, 0) * ${sql.lit(QUARTERS_A_DAY)}`
  const behindTotals = sql`case when ${until} < ${sql.lit(first)} then ${sql.lit(first)} else ${until} end`
  return sql`${between(behindTotals, last)}
    + (select ${sum} from scan_totals where scan_totals.code_id = totalled_codes.code_id
      and month >= ${sql.lit(months.from)} and month < ${sql.lit(months.to)})
    ${edge(from, first)} ${edge(last, to)}`
}

/** About the UTC month whose beginning is nearest: any would give the same sum. */
const nearestMonth = (quarter: number) => monthOf(Math.floor(quarter / QUARTERS_A_DAY) + 15)

const monthQuarter = (month: number) => firstDayOfMonth(month) * QUARTERS_A_DAY

/**
 * These columns of codes, each read in a query of `ids` and `totalled_codes`, without the codes that have nothing in
 * them. Each is a sum of its own over a range of the key: to group all rows costs more than twice as much, and a row
 * for each of a code's days took longer to hand over than to sum. One statement sees the totals and the rollup as of
 * one instant.
 */
async function columnsOf(
  db: Db,
  codeIds: string[],
  columns: RawBuilder<unknown>[],
  show = (_names: RawBuilder<unknown>[]): RawBuilder<unknown> => sql`*`,
) {
  const keys = columns.map((_, index) => `d${index}`)
  const names = keys.map((key) => sql.raw(key))
  const named = columns.map((column, index) => sql`${column} as ${names[index]}`)
  const rows = await rowsOf(
    db,
    codeIds,
    (ids) => sql<{ code_id: string } & Record<string, number | string | null>>`
      with ${idsTable(ids)},
      sums as materialized (select ids.code_id as code_id, ${sql.join(named)}
        from ids left join totalled_codes on totalled_codes.code_id = ids.code_id)
      select ${show(names)} from sums where ${sql.join(names, sql` + `)} > 0`,
  )
  return rows.map((row) => [row.code_id, keys.map((key) => Number(row[key]))] as const)
}

/** Scans by persons, or another column, of each of these codes in several periods, without the codes that have none. */
export async function sumsByCode(
  db: Db,
  codeIds: string[],
  periods: Period[],
  column: Column = 'persons',
) {
  const sums = periods.map((period) => sumIn(period, column))
  return new Map(await columnsOf(db, codeIds, sums))
}

/** The same in ClickHouse, which reads the scans themselves. */
export async function sumsByCodeInClickHouse(
  own: OwnScans,
  codeIds: string[],
  periods: Period[],
  column: Column = 'persons',
): Promise<Map<string, number[]>> {
  const sums = periods.map(({ from, to }) => `sumIf(n, quarter >= ${from} and quarter < ${to})`)
  const codes = ofCodes(own, codeIds)
  const all = {
    from: Math.min(...periods.map(({ from }) => from)),
    to: Math.max(...periods.map(({ to }) => to)),
  }
  const counted = quarterSums(codes, column, await own.completeDay(), all)
  const rows = await ask<{ code_id: string; sums: number[] }>(
    own,
    `select code_id, [${sums}] as sums from ${counted} group by code_id having arraySum(sums) > 0`,
    codes,
  )
  return new Map(rows.map(({ code_id, sums }) => [code_id, sums]))
}

/** Persons' scans of all these codes together in each of several periods. */
export async function sumsOf(db: Db, codeIds: string[], periods: Period[]): Promise<number[]> {
  const sums = periods.map((period) => sumIn(period, 'persons'))
  const rows = await columnsOf(db, codeIds, sums, (names) =>
    sql.join(names.map((name) => sql`sum(${name}) as ${name}`)),
  )
  return periods.map((_, at) => rows.reduce((sum, [, sums]) => sum + (sums[at] ?? 0), 0))
}

export async function sumsOfInClickHouse(own: OwnScans, codeIds: string[], periods: Period[]) {
  const byCode = [...(await sumsByCodeInClickHouse(own, codeIds, periods)).values()]
  return periods.map((_, at) => byCode.reduce((sum, sums) => sum + (sums[at] ?? 0), 0))
}

/** A code costs a few reads of keys, however often it was scanned. */
export async function scansByCode(db: Db, codeIds: string[]): Promise<Map<string, CodeScans>> {
  const last = sql`(select quarter from scan_counts where scan_counts.code_id = ids.code_id
    and persons > 0 order by quarter desc limit 1)`
  const rows = await columnsOf(db, codeIds, [sumIn(EVER, 'persons'), last])
  return new Map(
    rows.map(([id, [total = 0, last = 0]]) => [id, { total, lastScan: last * QUARTER_MS }]),
  )
}

export async function scansByCodeInClickHouse(own: OwnScans, codeIds: string[]) {
  const codes = ofCodes(own, codeIds)
  const counted = quarterSums(codes, 'persons', await own.completeDay())
  const sql = `select code_id, sum(n) as total, max(quarter) as last from ${counted} group by code_id`
  const rows = await ask<{ code_id: string; total: number; last: number }>(own, sql, codes)
  return new Map(
    rows.map(({ code_id, total, last }) => [code_id, { total, lastScan: last * QUARTER_MS }]),
  )
}

/**
 * Persons' scans of a code by UTC day (yyyy-mm-dd), oldest first, without the days that have none. It
 * reads the whole history of the code: totals do not know days.
 */
export async function totalsByDay(db: Db, codeId: string) {
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

export async function totalsByDayInClickHouse(own: OwnScans, codeId: string) {
  const codes = ofCodes(own, [codeId])
  const counted = quarterSums(codes, 'persons', await own.completeDay())
  const sql = `select intDiv(quarter, ${QUARTERS_A_DAY}) as day, sum(n) as scans from ${counted}
    group by day order by day`
  const rows = await ask<{ day: number; scans: number }>(own, sql, codes)
  return rows.map(({ day, scans }) => ({ date: dateText(day), scans }))
}

type Asked = Pick<Selection, 'codeIds' | 'kind' | 'from' | 'to'>

const columnOfKind = { people: 'persons', bots: 'others' } as const

/** Adds all scans of a kind that the rollup has of these codes in a period. */
export async function addCounts(db: Db, sums: QuarterSums, { codeIds, kind, from, to }: Asked) {
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

/** Adds each code's scans of a kind in a period. */
export async function addCodes(db: Db, counts: Tally<string>, { codeIds, kind, ...period }: Asked) {
  const sums = await sumsByCode(db, codeIds, [period], columnOfKind[kind])
  for (const [id, [scans = 0]] of sums) counts.add(id, scans)
}

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

/** The first quarter-hour in which one of these codes was scanned, by whomever, or the last one. */
export async function edgeQuarterInClickHouse(
  own: OwnScans,
  codeIds: string[],
  edge: 'min' | 'max',
) {
  const codes = ofCodes(own, codeIds)
  const day = await own.completeDay()
  const sql = `select ${edge}(quarter) as found, count() as rows from (
    select intDiv(at, ${QUARTER_MS}) as quarter from scans where ${codes.sql} and day >= ${day}
    union all select quarter from scan_sums
    where ${codes.sql} and quarter < ${day * QUARTERS_A_DAY})`
  const [row] = await ask<{ found: number; rows: number }>(own, sql, codes)
  return row && row.rows > 0 ? row.found : undefined
}

/** The last quarter-hour in which a code was scanned, by whomever. */
export async function lastQuarter(db: Db, codeId: string): Promise<number | undefined> {
  const counts = db.selectFrom('scan_counts').select('quarter').where('code_id', '=', codeId)
  return (await counts.orderBy('quarter', 'desc').limit(1).executeTakeFirst())?.quarter
}

/** The values of a code's facet with the most scans by persons, most first. */
export async function topFacets(db: Db, codeId: string, facet: string, limit: number) {
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

export async function topFacetsInClickHouse(
  own: OwnScans,
  codeId: string,
  facet: string,
  limit: number,
) {
  const codes = ofCodes(own, [codeId])
  const day = await own.completeDay()
  const sql = `select value, sum(n) as scans from (
      select ${facet} as value, count() as n from scans
      where ${codes.sql} and day >= ${day} and ${PERSON} group by value
      union all select value, persons as n from facet_sums
      where ${codes.sql} and day < ${day} and facet = '${facet}')
    where value is not null group by value order by scans desc, value limit ${limit}`
  return ask<ValueCount>(own, sql, codes)
}

const rolledUp = new Set<string>(facetNames)

export const isRolledUp = (facet: Facet) => rolledUp.has(columnOf(facet))

/** Persons' scans by value of a facet, or by code and value, from the rollup of UTC days. */
const facetSums = <Key extends 'code_id' | 'value'>(
  db: Db,
  facet: string,
  { codeIds, from, to }: Asked,
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
export async function addFacets(db: Db, counts: Tally<string | null>, facet: Facet, asked: Asked) {
  let named = 0
  for (const { value, scans } of await facetSums(db, columnOf(facet), asked, 'value')) {
    named += Number(scans)
    counts.add(facetValue(facet, value), Number(scans))
  }
  return named
}

/** Adds persons' scans by code and UTM word, as `utms` of packs has them. */
export async function addUtms(db: Db, counts: Tally<string>, asked: Asked): Promise<void> {
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
