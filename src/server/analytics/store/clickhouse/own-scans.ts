import { type Facet, UNKNOWN } from '#contract/analytics/figure-values.ts'
import { hasUtm } from '#contract/analytics/utm.ts'
import { DAY_MS } from '#contract/time.ts'
import type { WorkspaceId } from '../../../database/ids.ts'
import { QUARTER_MS, utcDay } from '../../../dates.ts'
import { apps } from '../../user-agents/apps.ts'
import { columnOf } from '../scan-rows.ts'
import type { Wanted, WantedUtm } from '../scans-store.ts'
import type { ClickHouse, Params } from './clickhouse.ts'

/** An account's scans in ClickHouse. `completeDay` is the first UTC day whose scans are there; of those before only sums are. */
export type OwnScans = {
  clickhouse: ClickHouse
  workspaceId: WorkspaceId
  completeDay: () => Promise<number>
}

/** A part of a query, and its parameters */
export type Part = { sql: string; params: Params }

/** Scans, or sums, of these codes. Each query has it: the tables are in the order of accounts. */
export const ofCodes = (
  { workspaceId }: Pick<OwnScans, 'workspaceId'>,
  codeIds: string[],
): Part => ({
  sql: 'workspace_id = {workspaceId:String} and code_id in {codeIds:Array(String)}',
  params: { workspaceId, codeIds },
})

/** Scans from an instant up to another one, in epoch milliseconds. Days later than a column of days has are none. */
export const between = (from: number, to: number): Part => ({
  sql: `day >= {firstDay:UInt32} and day <= {lastDay:UInt32} and at >= {from:Int64} and at < {to:Int64}`,
  params: { firstDay: Math.max(0, utcDay(from)), lastDay: utcDay(to - 1), from, to },
})

export const both = (...parts: Part[]): Part => ({
  sql: parts.map(({ sql }) => `(${sql})`).join(' and '),
  params: Object.assign({}, ...parts.map(({ params }) => params)),
})

export const ask = <Row>(
  { clickhouse }: Pick<OwnScans, 'clickhouse'>,
  sql: string,
  ...parts: Part[]
) => clickhouse.rows<Row>(sql, both(...parts).params)

/** The order of scans, which is that of their ids */
export const ORDER = 'at, counter, nonce'
/** The same within a UTC day as one number, which a sum finds the least of five times as fast: counters have 26 bits. */
export const PLACE_IN_DAY = `(at % ${DAY_MS}) * 67108864 + counter`
/** A visitor at a code on a UTC day, as one number */
export const VISIT = 'cityHash64(code_id, day, visitor)'
export const PERSON = "class = 'person'"

/** The instant of quarter-hours, in epoch milliseconds */
export const instantOf = (quarter: number) => quarter * QUARTER_MS

/** Persons' scans of codes by quarter-hour as `n`, of a column of sums or counted, also of days of which only sums are left. */
export function quarterSums(
  codes: Part,
  column: 'persons' | 'firsts' | 'others',
  day: number,
): string {
  const isLive = `${codes.sql} and day >= ${day}`
  const counted = `select code_id, intDiv(at, ${QUARTER_MS}) as quarter, count() as n from scans
    where ${isLive} and ${column === 'others' ? `not (${PERSON})` : PERSON} group by code_id, quarter`
  const firsts = `select code_id, intDiv(first, ${QUARTER_MS}) as quarter, count() as n
    from (select code_id, min(at) as first from scans
      where ${isLive} and ${PERSON} and visitor != 0 group by code_id, ${VISIT})
    group by code_id, quarter`
  const kept = `select code_id, quarter, ${column} as n from scan_sums
    where ${codes.sql} and quarter < ${day * (DAY_MS / QUARTER_MS)} and n > 0`
  return `(${column === 'firsts' ? firsts : counted} union all ${kept})`
}

/** The scans that a query wants, as `matching` of packs takes them (scan-rows.ts). */
export async function taken(
  own: OwnScans,
  { filters, kind, utm }: Wanted,
  scans: Part,
): Promise<Part> {
  const isKind = { sql: kind === 'people' ? PERSON : `not (${PERSON})`, params: {} }
  const parts = Object.entries(filters).map(([name, value]) => filterOf(name as Facet, value))
  return both(isKind, ...parts, ...(utm ? [await utmOf(own, utm, scans)] : []))
}

const appNames = apps.map(({ name }) => name)

function filterOf(facet: Facet, value: string): Part {
  const column = columnOf(facet)
  const isApp = 'browser in {apps:Array(String)}'
  const params: Params = facet === 'app' ? { apps: appNames } : {}
  if (value === UNKNOWN) {
    const isUnknown = `${column} is null`
    return { sql: facet === 'app' ? `${isUnknown} or not (${isApp})` : isUnknown, params }
  }
  const isValue = `lowerUTF8(ifNull(${column}, '')) = {is_${facet}:String} and ${column} is not null`
  return {
    sql: facet === 'app' ? `${isValue} and ${isApp}` : isValue,
    params: { ...params, [`is_${facet}`]: value.toLowerCase() },
  }
}

async function utmOf(
  own: OwnScans,
  { filters, before, codes }: WantedUtm,
  scans: Part,
): Promise<Part> {
  const sql = `select distinct utm as word from scans where ${scans.sql} and utm is not null`
  const words = (await ask<{ word: string }>(own, sql, scans)).map(({ word }) => word)
  return {
    sql: `multiIf(utm is not null, ifNull(utm, '') in {words:Array(String)},
      day < {utmFrom:UInt32}, code_id in {utmCodes:Array(String)}, ${Number(hasUtm(null, filters))})`,
    params: {
      words: words.filter((word) => hasUtm(word, filters)),
      utmFrom: before,
      utmCodes: codes,
    },
  }
}
