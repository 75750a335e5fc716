import { type Facet, UNKNOWN } from '#contract/analytics/figure-values.ts'
import { hasUtm } from '#contract/analytics/utm.ts'
import { DAY_MS } from '#contract/time.ts'
import { batchesOf } from '../../../batches.ts'
import type { WorkspaceId } from '../../../database/ids.ts'
import { QUARTER_MS, QUARTERS_A_DAY, utcDay } from '../../../dates.ts'
import { apps } from '../../user-agents/apps.ts'
import { columnOf } from '../scan-rows.ts'
import { EVER, type Period, type Wanted, type WantedUtm } from '../scans-store.ts'
import type { ClickHouse, Params } from './clickhouse.ts'

/** An account's scans in ClickHouse. `completeDay` is the first UTC day whose scans are there; of those before only sums are. */
export type OwnScans = {
  clickhouse: ClickHouse
  workspaceId: WorkspaceId
  completeDay: () => Promise<number>
}

/** A part of a query, and its parameters */
export type Part = { sql: string; params: Params }

/** A parameter holds 128 KiB at most (`http_max_field_value_size`), and an id of a code takes 39 bytes of it. */
const VALUES_IN_PARAMETER = 2_500

/** Scans, or sums, of these codes. Each query has it: the tables are in the order of accounts. */
export const ofCodes = ({ workspaceId }: Pick<OwnScans, 'workspaceId'>, codeIds: string[]) =>
  both(
    { sql: 'workspace_id = {workspaceId:String}', params: { workspaceId } },
    codesIn('codeIds', codeIds),
  )

/** Scans of these codes, whosever they are. @param name of the parameters */
export const codesIn = (name: string, codeIds: string[]) => among('code_id', name, codeIds)

/** Rows in which a column of short texts has one of these values. @param name of the parameters */
function among(column: string, name: string, values: string[]): Part {
  const parts = values.length > 0 ? [...batchesOf(values, VALUES_IN_PARAMETER)] : [[]]
  return {
    sql: parts.map((_, at) => `${column} in {${name}${at}:Array(String)}`).join(' or '),
    params: Object.fromEntries(parts.map((part, at) => [`${name}${at}`, part])),
  }
}

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
/** Columns of a group: the place of its first scan, as ORDER has it */
export const FIRST_PLACE = `tupleElement(min((${ORDER})) as first, 1), tupleElement(first, 2), tupleElement(first, 3)`
/** ORDER within a UTC day as one number, which a sum finds the least of five times as fast: counters have 26 bits. */
export const PLACE_IN_DAY = `(at % ${DAY_MS}) * 67108864 + counter`
/** A visitor at a code on a UTC day, as one number */
export const VISIT = 'cityHash64(code_id, day, visitor)'
export const PERSON = "class = 'person'"

/** The instant of quarter-hours, in epoch milliseconds */
export const instantOf = (quarter: number) => quarter * QUARTER_MS

/** Scans of codes by quarter-hour as `n`, of all UTC days that have a part of a period, also of those of which only sums are left. */
export function quarterSums(
  codes: Part,
  column: 'persons' | 'firsts' | 'others',
  day: number,
  { from, to }: Period = EVER,
): string {
  const first = Math.max(day, Math.floor(from / QUARTERS_A_DAY))
  const isLive = `${codes.sql} and day >= ${first} and day < ${Math.ceil(to / QUARTERS_A_DAY)}`
  const counted = `select code_id, intDiv(at, ${QUARTER_MS}) as quarter, count() as n from scans
    where ${isLive} and ${column === 'others' ? `not (${PERSON})` : PERSON} group by code_id, quarter`
  const firsts = `select code_id, intDiv(first, ${QUARTER_MS}) as quarter, count() as n
    from (select code_id, min(at) as first from scans
      where ${isLive} and ${PERSON} and visitor != 0 group by code_id, ${VISIT})
    group by code_id, quarter`
  const kept = `select code_id, quarter, ${column} as n from scan_sums
    where ${codes.sql} and quarter < ${day * QUARTERS_A_DAY} and quarter >= ${from} and quarter < ${to} and n > 0`
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
  const name = "toString(cityHash64(ifNull(utm, '')))"
  const sql = `select distinct utm as word, ${name} as name from scans where ${scans.sql} and utm is not null`
  const words = await ask<{ word: string; name: string }>(own, sql, scans)
  const found = words.filter(({ word }) => hasUtm(word, filters))
  // Words may be long, and an account may have thousands.
  const isFound = among(
    name,
    'words',
    found.map((row) => row.name),
  )
  const today = codesIn('utmCodes', codes)
  return {
    sql: `multiIf(utm is not null, ${isFound.sql},
      day < {utmFrom:UInt32}, ${today.sql}, ${Number(hasUtm(null, filters))})`,
    params: { utmFrom: before, ...isFound.params, ...today.params },
  }
}
