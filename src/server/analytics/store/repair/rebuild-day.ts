import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { Db, Tables } from '../../../database/schema.ts'
import { QUARTER_MS, QUARTERS_A_DAY } from '../../../dates.ts'
import { boundFacet } from '../ledger/facet-bound.ts'
import { facetNames } from '../ledger/fold-scan.ts'
import { idFromDay } from '../ledger/scan-ids.ts'
import { wholeFrom } from '../ledger/whole-days.ts'

export type CountRow = Tables['scan_counts']
export type FacetRow = Tables['scan_facets']
/** What the rollups of a day lack, which is below 0 where they have too much; `codes` has all that were compared. */
export type Differences = { codes: string[]; counts: CountRow[]; facets: FacetRow[] }

/**
 * What the rollups of a UTC day lack of what the ledger has, as of one instant: nothing if that day is not
 * whole. Both only ever grow by the same scans in one transaction, so these differences stay right
 * however many scans come after.
 * @param others codes that the ledger may not have on that day
 */
export function differencesOf(
  database: Database,
  day: number,
  others: string[],
): Promise<Differences> {
  return atOneInstant(database, async (db) => {
    const scans = sql`id >= ${idFromDay(day)} and id < ${idFromDay(day + 1)}`
    const counts = await countsOf(db, scans)
    // Behind the scans: from here on no partition of this day can be dropped until we are done.
    if ((await wholeFrom(db)) > day) return { codes: [], counts: [], facets: [] }
    const codes = [...new Set([...counts.map(({ code_id }) => code_id), ...others])]
    const ofCodes = sql`code_id in (select code_id from scans where ${scans} union
      ${idList(others)})`
    const { rows: stored } = await sql<CountRow>`select * from scan_counts where ${ofCodes}
      and quarter >= ${day * QUARTERS_A_DAY} and quarter < ${(day + 1) * QUARTERS_A_DAY}`.execute(
      db,
    )
    const facets = await facetsOf(db, day, scans)
    const { rows: storedFacets } = await sql<FacetRow>`select * from scan_facets
      where ${ofCodes} and day = ${day}`.execute(db)
    return {
      codes,
      counts: countDifferences(counts, stored),
      facets: facetDifferences(bounded(facets, storedFacets), storedFacets),
    }
  })
}

/** Runs queries that all see the database as of one instant, without a lock on anything. */
export async function atOneInstant<T>(
  { reads, location }: Pick<Database, 'reads' | 'location'>,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  if (location.engine === 'postgres') {
    const transaction = reads.transaction().setIsolationLevel('repeatable read')
    return transaction.setAccessMode('read only').execute(work)
  }
  return reads.connection().execute(async (connection) => {
    await sql`begin`.execute(connection)
    try {
      return await work(connection)
    } finally {
      await sql`commit`.execute(connection)
    }
  })
}

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

/** As who writes scans bounds them; the values that the rollup has keep their names. */
function bounded(facets: FacetRow[], stored: FacetRow[]): FacetRow[] {
  const known = bySet(stored)
  return [...bySet(facets)].flatMap(([key, rows]) => {
    const [row] = rows
    if (!row) return []
    const values = new Map(rows.map(({ value, persons }) => [value, Number(persons)]))
    const names = new Set(
      (known.get(key) ?? []).map(({ value }) => value).filter((value) => values.has(value)),
    )
    return [...boundFacet(values, names)].map(([value, persons]) => ({ ...row, value, persons }))
  })
}

function bySet(rows: FacetRow[]): Map<string, FacetRow[]> {
  const sets = new Map<string, FacetRow[]>()
  for (const row of rows) {
    const key = `${row.code_id}\n${row.facet}`
    const known = sets.get(key)
    if (known) known.push(row)
    else sets.set(key, [row])
  }
  return sets
}

function countDifferences(wanted: CountRow[], stored: CountRow[]): CountRow[] {
  const left = new Map(stored.map((row) => [`${row.code_id} ${row.quarter}`, row]))
  const rows: CountRow[] = []
  const compare = (want: CountRow, have: CountRow | undefined) => {
    const [persons, firsts, others] = (['persons', 'firsts', 'others'] as const).map(
      (key) => Number(want[key]) - Number(have?.[key] ?? 0),
    ) as [number, number, number]
    if (persons || firsts || others) rows.push({ ...want, persons, firsts, others })
  }
  for (const want of wanted) {
    const key = `${want.code_id} ${want.quarter}`
    compare(want, left.get(key))
    left.delete(key)
  }
  for (const have of left.values()) compare({ ...have, persons: 0, firsts: 0, others: 0 }, have)
  return rows
}

function facetDifferences(wanted: FacetRow[], stored: FacetRow[]): FacetRow[] {
  const keyOf = ({ code_id, facet, value }: FacetRow) => `${code_id}\n${facet}\n${value}`
  const left = new Map(stored.map((row) => [keyOf(row), row]))
  const rows: FacetRow[] = []
  for (const want of wanted) {
    const persons = Number(want.persons) - Number(left.get(keyOf(want))?.persons ?? 0)
    left.delete(keyOf(want))
    if (persons !== 0) rows.push({ ...want, persons })
  }
  for (const have of left.values()) rows.push({ ...have, persons: -Number(have.persons) })
  return rows
}
