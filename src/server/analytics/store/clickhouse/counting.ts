import { DAY_MS } from '#contract/time.ts'
import { QUARTER_MS, QUARTERS_A_DAY, utcDay } from '../../../dates.ts'
import { answering, isFiltered, isKept, type Measure } from '../count/count.ts'
import type { Sum } from '../count/tallies.ts'
import { REST } from '../ledger/facet-bound.ts'
import { PackBuilder, packColumns } from '../packs/pack.ts'
import { partOf } from '../packs/reader.ts'
import type { SumList, SumName } from '../packs/sums.ts'
import type { ScansCounts, Selection } from '../scans-store.ts'
import type { ClickHouse } from './clickhouse.ts'
import {
  ask,
  between,
  both,
  FIRST_PLACE,
  instantOf,
  ORDER,
  type OwnScans,
  ofCodes,
  PERSON,
  PLACE_IN_DAY,
  taken,
  VISIT,
} from './own-scans.ts'

/** The expression by which a measure counts, as `sumOf` of packs has it (packs/sums.ts) */
function keyOf(name: SumName): string {
  const made: Partial<Record<SumName, string>> = {
    quarters: `intDiv(at, ${QUARTER_MS})`,
    classes: "concat(class, ' ', rule)",
    utms: "concat(code_id, '\\n', ifNull(utm, ''))",
  }
  return made[name] ?? name
}

/** The same of days of which only sums are left */
function keptKeyOf(name: SumName): string {
  const made: Partial<Record<SumName, string>> = {
    quarters: 'quarter',
    code_id: 'code_id',
    utms: "concat(code_id, '\\n', ifNull(value, ''))",
  }
  return made[name] ?? 'value'
}

/** Strangers choose the values of facets. More than these are one. */
const VALUES_MAX = 10_000

const isFacet = (name: SumName) => !['quarters', 'code_id', 'classes', 'utms'].includes(name)

/** The scans without a value, and the values with the most scans, each with the scans of all values */
const shortened = (sql: string) => `select *, sum(scans) over () as total from (${sql})
  order by key is null desc, scans desc limit ${VALUES_MAX}`

function withRest(rows: (Row & { total: number })[]): Row[] {
  const rest = rows.reduce((left, { scans }) => left - scans, rows[0]?.total ?? 0)
  return rest > 0 ? [...rows, { key: REST, scans: rest, visitors: 0 }] : rows
}

type Row = { key: string | number | null; scans: number; visitors: number }

/** Counts scans, and hands over single ones. One query reads all scans of a measure: no sums are kept of days that are there. */
export function clickhouseCounts(clickhouse: ClickHouse): ScansCounts {
  const ownOf = ({ workspaceId, firstCompleteDay }: Selection): OwnScans => ({
    clickhouse,
    workspaceId,
    completeDay: async () => firstCompleteDay,
  })

  async function count<Counted extends Sum<Counted>>(
    task: Selection,
    measure: Measure<Counted>,
  ): Promise<Counted | undefined> {
    const canBeKept = measure.addRollups !== undefined && !isFiltered(task)
    if (!isKept(task, task) && !canBeKept) return undefined
    const complete = task.firstCompleteDay * QUARTERS_A_DAY
    const sum = measure.make()
    const live = { ...task, from: Math.max(task.from, complete) }
    const gone = { ...task, to: Math.min(task.to, complete) }
    const rows = [
      ...(live.from < live.to ? await counted(live, measure) : []),
      ...(gone.from < gone.to ? await kept(gone, measure.name) : []),
    ]
    const isInThrees = measure.name === 'quarters'
    const list: SumList = rows.flatMap(({ key, scans, visitors }) =>
      isInThrees ? [key, scans, visitors] : [key, scans],
    )
    measure.add(sum, list, 0)
    return sum
  }

  async function counted(
    task: Selection,
    { name, hasVisitors }: Pick<Measure<never>, 'name' | 'hasVisitors'>,
  ): Promise<Row[]> {
    const own = ownOf(task)
    const codes = ofCodes(own, task.codeIds)
    const scans = both(codes, between(instantOf(task.from), instantOf(task.to)))
    const wanted = await taken(own, task, scans)
    const key = keyOf(name)
    const all = `select ${key} as key, count() as scans, 0 as visitors from scans
      where ${scans.sql} and ${wanted.sql} group by key`
    if (isFacet(name)) return withRest(await ask(own, shortened(all), scans, wanted))
    if (!hasVisitors || task.kind === 'bots') return ask<Row>(own, all, scans, wanted)
    // A visitor's first scan of a day counts where it is, and if it is wanted.
    const first = `select min(at) as first, argMin(${wanted.sql}, ${PLACE_IN_DAY}) as isWanted from scans
      where ${codes.sql} and day >= {firstDay:UInt32} and day <= {lastDay:UInt32}
        and ${PERSON} and visitor != 0 group by ${VISIT}
      having isWanted and first >= {from:Int64} and first < {to:Int64}`
    const visitors = `select intDiv(first, ${QUARTER_MS}) as key, 0 as scans, count() as visitors
      from (${first}) group by key`
    const sql = `select key, sum(scans) as scans, sum(visitors) as visitors
      from (${all} union all ${visitors}) group by key`
    return ask<Row>(own, sql, scans, wanted)
  }

  async function kept({ kind, from, to, ...task }: Selection, name: SumName): Promise<Row[]> {
    const own = ownOf({ kind, from, to, ...task })
    const codes = ofCodes(own, task.codeIds)
    const key = keptKeyOf(name)
    if (name === 'quarters' || name === 'code_id') {
      const column = kind === 'people' ? 'persons' : 'others'
      const sql = `select ${key} as key, sum(${column}) as scans, sum(firsts) as visitors from scan_sums
        where ${codes.sql} and quarter >= ${from} and quarter < ${to} group by key`
      return ask<Row>(own, sql, codes)
    }
    const sql = `select ${key} as key, sum(persons) as scans, 0 as visitors from facet_sums
      where ${codes.sql} and facet = {facet:String}
        and day >= ${from / QUARTERS_A_DAY} and day < ${to / QUARTERS_A_DAY} group by key`
    const facet = { sql: '', params: { facet: name === 'utms' ? 'utm' : name } }
    return isFacet(name)
      ? withRest(await ask(own, shortened(sql), codes, facet))
      : ask<Row>(own, sql, codes, facet)
  }

  return {
    count: answering({ count, rulesIn: (task) => rulesIn(ownOf(task), task) }),
    rows: (...asked) => rows(clickhouse, ...asked),
  }
}

/** The versions of the rules that judged these scans */
async function rulesIn(own: OwnScans, { codeIds, from, to }: Selection): Promise<number[]> {
  const scans = both(ofCodes(own, codeIds), between(instantOf(from), instantOf(to)))
  const sql = `select distinct toUInt32OrZero(extract(ifNull(rule, ''), '^\\\\d+')) as version from scans
    where ${scans.sql} order by version`
  return (await ask<{ version: number }>(own, sql, scans)).map(({ version }) => version)
}

/** Scans that are handed over at once */
const ROWS_MAX = 50_000

type ScanRow = Record<string, string | null> & { second: number; isFirst: number }

/** Hands over the next scans of the first UTC day that is asked for: whole seconds, some more than ROWS_MAX at most. */
async function rows(
  clickhouse: ClickHouse,
  { workspaceId, codeIds, from, to }: Parameters<ScansCounts['rows']>[0],
  take: Parameters<ScansCounts['rows']>[1],
): Promise<number> {
  const ids = [...codeIds]
  const day = utcDay(from)
  const end = Math.min(to, (day + 1) * DAY_MS)
  const codes = ofCodes({ workspaceId }, ids)
  const seconds = { from: Math.floor(from / 1_000), to: Math.floor(end / 1_000) }
  const period = between(seconds.from * 1_000, seconds.to * 1_000)
  const columns = packColumns.join(', ')
  // The end of the page is found first, so that only its rows are read whole.
  const sql = `with (select max(intDiv(at, 1000)) from
      (select at from scans where ${codes.sql} and ${period.sql} order by at limit ${ROWS_MAX})) as last
    select ${columns}, intDiv(at, 1000) - ${day * 86_400} as second, (code_id, visitor, class, ${ORDER}) in (
      select code_id, visitor, class, ${FIRST_PLACE}
      from scans where ${codes.sql} and day = ${day} and ${PERSON} and visitor != 0
      group by code_id, visitor, class) as isFirst
    from scans where ${codes.sql} and ${period.sql} and intDiv(at, 1000) <= last order by second`
  const found = await ask<ScanRow>({ clickhouse }, sql, codes, period)
  const pack = new PackBuilder(day)
  for (const row of found) {
    const texts = packColumns.map((name) => row[name] ?? null)
    pack.add(row.second, row.isFirst, texts)
  }
  const part = found.length > 0 && partOf(pack.build(), new Set(ids), seconds)
  if (part) take(part)
  const last = found.at(-1)
  return last && found.length >= ROWS_MAX ? day * DAY_MS + (last.second + 1) * 1_000 : end
}
