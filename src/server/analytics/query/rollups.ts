import { sql } from 'kysely'
import type { Facet } from '#contract/analytics/figure-values.ts'
import type { Db } from '../../database/schema.ts'
import { facetNames } from '../store/ledger/scan.ts'
import type { Wanted } from './count-task.ts'
import { columnOf, facetValue, type ValueCounts } from './counting.ts'
import type { Period } from './periods.ts'
import type { QuarterSums } from './quarter-sums.ts'

/** Ids in one query, below the parameter limits of both engines. */
const IDS_MAX = 1_000

function* chunks(codeIds: string[]): Generator<string[]> {
  for (let at = 0; at < codeIds.length; at += IDS_MAX) yield codeIds.slice(at, at + IDS_MAX)
}

type Asked = Period & Pick<Wanted, 'kind'> & { codeIds: string[] }

/** Adds all scans of a kind that the rollup has of these codes in a period of quarter-hours. */
export async function addCounts(
  db: Db,
  sums: QuarterSums,
  { codeIds, kind, from, to }: Asked,
): Promise<void> {
  const column = sql.ref<number>(kind === 'people' ? 'persons' : 'others')
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

/** Persons' scans of these codes in a period of quarter-hours. */
export async function personsIn(db: Db, codeIds: string[], { from, to }: Period): Promise<number> {
  let persons = 0
  for (const ids of chunks(codeIds)) {
    const row = await db
      .selectFrom('scan_counts')
      .select(sql<number | null>`sum(persons)`.as('persons'))
      .where('code_id', 'in', ids)
      .where('quarter', '>=', from)
      .where('quarter', '<', to)
      .executeTakeFirst()
    persons += Number(row?.persons ?? 0)
  }
  return persons
}

/** The first quarter-hour in which one of these codes was scanned. */
export async function firstQuarter(db: Db, codeIds: string[]): Promise<number | undefined> {
  let first: number | undefined
  for (const ids of chunks(codeIds)) {
    const { rows } = await sql<{ first: number | null }>`
      select min(quarter) as first from (
        select (select min(quarter) from scan_counts where scan_counts.code_id = codes.id) as quarter
        from codes where id in (${sql.join(ids)})) as firsts`.execute(db)
    const found = rows[0]?.first ?? undefined
    if (found !== undefined && found < (first ?? Number.POSITIVE_INFINITY)) first = found
  }
  return first
}

const rolledUp = new Set<string>(facetNames)

export const isRolledUp = (facet: Facet) => rolledUp.has(columnOf(facet))

/**
 * Adds persons' scans by value from the rollup of UTC days, and answers how many have one. It has no
 * row for scans without a value.
 */
export async function addFacets(
  db: Db,
  counts: ValueCounts,
  { codeIds, facet, from, to }: Period & { codeIds: string[]; facet: Facet },
): Promise<number> {
  let named = 0
  for (const ids of chunks(codeIds)) {
    const rows = await db
      .selectFrom('scan_facets')
      .select(['value', sql<number>`sum(persons)`.as('scans')])
      .where('code_id', 'in', ids)
      .where('day', '>=', from)
      .where('day', '<', to)
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
