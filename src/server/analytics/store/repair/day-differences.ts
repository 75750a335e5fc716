import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import { insertRows } from '../../../database/json-rows.ts'
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
export function differencesOf(database: Database, day: number, inRollups: readonly string[]) {
  return atOneInstant(database, async (db) => {
    const scans = sql`id >= ${idFromDay(day)} and id < ${idFromDay(day + 1)}`
    const ofCodes = sql`code_id in (select code_id from scans where ${scans} union ${idList(inRollups)})`
    const counts = await countsLacking(db, day, { scans, ofCodes })
    const facets = await facetsOf(db, day, scans)
    // Behind the scans: from here on no partition of this day can be dropped until we are done.
    if ((await firstCompleteDay(db)) > day) return []
    const { rows: stored } = await sql<FacetRow>`select * from scan_facets
      where ${ofCodes} and day = ${day}`.execute(db)
    return byCode(counts, facetsLacking(bounded(facets, stored), stored))
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
  const counts = some.flatMap(({ counts }) => counts)
  await insertRows(tx, 'scan_counts', ['quarter', ...countNames], counts, sql.raw(ADD_TO_COUNTS))
  const facets = some.flatMap(({ facets }) => facets)
  await insertRows(tx, 'scan_facets', ['day', 'persons'], facets, sql.raw(ADD_TO_FACETS))
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

/** One parameter, however many they are. Both engines have json_each for an object. */
const idList = (ids: readonly string[]) =>
  sql`select value ->> 0 from json_each(${JSON.stringify({ ...ids.map((id) => [id]) })})`

const countNames = ['persons', 'firsts', 'others'] as const

type Where = { scans: RawBuilder<unknown>; ofCodes: RawBuilder<unknown> }

/** The numbers of the scans less those of the rollup, where they differ. */
async function countsLacking(db: Db, day: number, { scans, ofCodes }: Where): Promise<CountRow[]> {
  const isPerson = sql`case when class = 'person' then 1 else 0 end`
  const { rows } = await sql<CountRow>`
    select code_id, quarter, sum(persons) as persons, sum(firsts) as firsts, sum(others) as others
    from (
      select code_id, cast(at / ${sql.lit(QUARTER_MS)} as integer) as quarter,
        ${isPerson} as persons, "first" as firsts, 1 - ${isPerson} as others
      from scans where ${scans}
      union all
      select code_id, quarter, -persons, -firsts, -others from scan_counts where ${ofCodes}
        and quarter >= ${day * QUARTERS_A_DAY} and quarter < ${(day + 1) * QUARTERS_A_DAY}
    ) as both_sides
    group by code_id, quarter
    having sum(persons) <> 0 or sum(firsts) <> 0 or sum(others) <> 0`.execute(db)
  return rows.map((row) => ({
    ...row,
    persons: Number(row.persons),
    firsts: Number(row.firsts),
    others: Number(row.others),
  }))
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

/** The rows by which `stored` has to grow to be `wanted`. */
function facetsLacking(wanted: FacetRow[], stored: FacetRow[]): FacetRow[] {
  const lacking = new Map<string, FacetRow>()
  const add = (row: FacetRow, persons: number) => {
    const key = `${row.code_id}\n${row.facet}\n${row.value}`
    lacking.set(key, { ...row, persons: (lacking.get(key)?.persons ?? 0) + persons })
  }
  for (const row of wanted) add(row, Number(row.persons))
  for (const row of stored) add(row, -Number(row.persons))
  return [...lacking.values()].filter(({ persons }) => persons !== 0)
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
