import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { Db, Tables, Tx } from '../../../database/schema.ts'
import { atOneInstant } from '../../../database/transact.ts'
import { QUARTER_MS, QUARTERS_A_DAY } from '../../../dates.ts'
import { ADD_TO_COUNTS, ADD_TO_FACETS } from '../fold/ledger-tables.ts'
import { boundFacet } from '../ledger/facet-bound.ts'
import { firstCompleteDay } from '../ledger/marks.ts'
import { shareTotals } from '../ledger/totals.ts'
import { facetNames } from '../scan.ts'
import { idFromDay } from '../scan-ids.ts'

type CountRow = Tables['scan_counts']
type FacetRow = Tables['scan_facets']
/** The rows that the rollups of a code's day lack; a number is below 0 if they have too much. */
export type Difference = { codeId: string; counts: CountRow[]; facets: FacetRow[] }

/**
 * Returns what the rollups of a UTC day lack of the ledger's scans, as of one instant: nothing if that
 * day is not complete. Both only ever grow by the same scans in one transaction, so these differences stay right
 * however many scans come after.
 * @param inRollups codes that may have rollups on that day and no scans
 */
export function differencesOf(
  database: Database,
  day: number,
  inRollups: readonly string[],
): Promise<Difference[]> {
  return atOneInstant(database, async (db) => {
    const scans = sql`id >= ${idFromDay(day)} and id < ${idFromDay(day + 1)}`
    const counts = await countsOf(db, scans)
    // Behind the scans: from here on no partition of this day can be dropped until we are done.
    if ((await firstCompleteDay(db)) > day) return []
    const scanned = new Set(counts.map(({ code_id }) => code_id))
    const ofCodes = sql`code_id in (select code_id from scans where ${scans} union
      ${idList(inRollups.filter((id) => !scanned.has(id)))})`
    const { rows: stored } = await sql<CountRow>`select * from scan_counts where ${ofCodes}
      and quarter >= ${day * QUARTERS_A_DAY} and quarter < ${(day + 1) * QUARTERS_A_DAY}`.execute(
      db,
    )
    const facets = await facetsOf(db, day, scans)
    const { rows: storedFacets } = await sql<FacetRow>`select * from scan_facets
      where ${ofCodes} and day = ${day}`.execute(db)
    const keyOf = ({ code_id, facet, value }: FacetRow) => `${code_id}\n${facet}\n${value}`
    return byCode(
      lacking(counts, stored, (row) => `${row.code_id} ${row.quarter}`, countNames),
      lacking(bounded(facets, storedFacets), storedFacets, keyOf, ['persons']),
    )
  })
}

/**
 * Adds differences to the rollups; the totals of these codes are summed again. Codes that were purged
 * since have no numbers to mend.
 */
export async function addDifferences(
  tx: Tx,
  { location }: Pick<Database, 'location'>,
  day: number,
  differences: Difference[],
): Promise<void> {
  if (location.engine === 'postgres') await sql.raw(shareTotals).execute(tx)
  const all = differences.map(({ codeId }) => codeId)
  const purged = tx.selectFrom('forgotten_codes').select('code_id').where('code_id', 'in', all)
  const gone = new Set((await purged.execute()).map(({ code_id }) => code_id))
  const some = differences.filter(({ codeId }) => !gone.has(codeId))
  const ids = some.map(({ codeId }) => codeId)
  if (ids.length === 0) return
  for (const counts of chunks(some.flatMap(({ counts }) => counts))) {
    await sql`insert into scan_counts (code_id, quarter, persons, firsts, others) values
      ${sql.join(counts.map((row) => sql`(${row.code_id}, ${row.quarter}, ${row.persons}, ${row.firsts}, ${row.others})`))}
      ${sql.raw(ADD_TO_COUNTS)}`.execute(tx)
  }
  for (const facets of chunks(some.flatMap(({ facets }) => facets))) {
    await sql`insert into scan_facets (code_id, day, facet, value, persons) values
      ${sql.join(facets.map((row) => sql`(${row.code_id}, ${row.day}, ${row.facet}, ${row.value}, ${row.persons})`))}
      ${sql.raw(ADD_TO_FACETS)}`.execute(tx)
  }
  await tx
    .deleteFrom('scan_counts')
    .where('code_id', 'in', ids)
    .where('quarter', '>=', day * QUARTERS_A_DAY)
    .where('quarter', '<', (day + 1) * QUARTERS_A_DAY)
    .where((row) => row.and({ persons: 0, firsts: 0, others: 0 }))
    .execute()
  const empty = tx.deleteFrom('scan_facets').where('code_id', 'in', ids)
  await empty.where((row) => row.and({ day, persons: 0 })).execute()
  const totals = tx.deleteFrom('totalled_codes').where('code_id', 'in', ids)
  await totals.where('until', '>', day).execute()
}

/** Rows in one statement */
const ROWS = 200
const chunks = <Row>(rows: Row[]): Row[][] =>
  Array.from({ length: Math.ceil(rows.length / ROWS) }, (_, index) =>
    rows.slice(index * ROWS, (index + 1) * ROWS),
  )

/** Both engines name the column of a list of values so. */
const idList = (ids: string[]) =>
  ids.length > 0
    ? sql`select column1 from (values ${sql.join(ids.map((id) => sql`(cast(${id} as text))`))}) as ids`
    : sql`select cast(null as text)`

async function countsOf(db: Db, scans: RawBuilder<unknown>): Promise<CountRow[]> {
  const { rows } = await sql<CountRow>`
    select code_id, cast(at / ${sql.lit(QUARTER_MS)} as integer) as quarter,
      sum(case when class = 'person' then 1 else 0 end) as persons,
      sum("first") as firsts,
      sum(case when class = 'person' then 0 else 1 end) as others
    from scans where ${scans} group by 1, 2`.execute(db)
  return rows
}

async function facetsOf(db: Db, day: number, scans: RawBuilder<unknown>): Promise<FacetRow[]> {
  const each = facetNames.map((facet) => {
    const column = sql.ref(facet)
    return sql`select code_id, ${sql.lit(facet)} as facet, ${column} as value, count(*) as persons
      from scans where ${scans} and class = 'person' and ${column} is not null
      group by code_id, ${column}`
  })
  const { rows } = await sql<Omit<FacetRow, 'day'>>`${sql.join(each, sql` union all `)}`.execute(db)
  return rows.map((row) => ({ ...row, day }))
}

/** Applies the bound of folding; values that the rollup has keep their names. */
function bounded(facets: FacetRow[], stored: FacetRow[]): FacetRow[] {
  const setOf = ({ code_id, facet }: FacetRow) => `${code_id}\n${facet}`
  const known = Map.groupBy(stored, setOf)
  return [...Map.groupBy(facets, setOf)].flatMap(([key, rows]) => {
    const values = new Map(rows.map(({ value, persons }) => [value, Number(persons)]))
    const named = (known.get(key) ?? []).map(({ value }) => value)
    const names = new Set(named.filter((value) => values.has(value)))
    return [...boundFacet(values, names)].map(([value, persons]) => ({
      ...(rows[0] as FacetRow),
      value,
      persons,
    }))
  })
}

const countNames = ['persons', 'firsts', 'others'] as const

/** The rows by which `stored` has to grow to be `wanted`. */
function lacking<Name extends string, Row extends Record<Name, number>>(
  wanted: Row[],
  stored: Row[],
  keyOf: (row: Row) => string,
  names: readonly Name[],
): Row[] {
  const have = new Map(stored.map((row) => [keyOf(row), row]))
  const want = new Map(wanted.map((row) => [keyOf(row), row]))
  const rows = [...wanted, ...stored.filter((row) => !want.has(keyOf(row)))].map((row) => {
    const lack = names.map((name) => [
      name,
      Number(want.get(keyOf(row))?.[name] ?? 0) - Number(have.get(keyOf(row))?.[name] ?? 0),
    ])
    return { ...row, ...Object.fromEntries(lack) }
  })
  return rows.filter((row) => names.some((name) => row[name] !== 0))
}

function byCode(counts: CountRow[], facets: FacetRow[]): Difference[] {
  const codeOf = ({ code_id }: { code_id: string }) => code_id
  const [countsBy, facetsBy] = [Map.groupBy(counts, codeOf), Map.groupBy(facets, codeOf)]
  return [...new Set([...countsBy.keys(), ...facetsBy.keys()])].map((codeId) => ({
    codeId,
    counts: countsBy.get(codeId) ?? [],
    facets: facetsBy.get(codeId) ?? [],
  }))
}
