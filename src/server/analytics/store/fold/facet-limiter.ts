import type { Tables } from '../../../database/schema.ts'
import { orMade } from '../../../or-made.ts'
import { boundFacet, FACET_VALUES_MAX, REST } from '../ledger/facet-bound.ts'
import type { CodeDay, LedgerTables, NamedFacet } from './ledger-tables.ts'

type FacetRow = Tables['scan_facets']

/** We do not look at the rows of a code's day up to this number, all facets together. */
export const ROWS_UNSEEN_MAX = 100
const DAYS_KEPT = 50_000
/** A code's day may have 3,000 of them. */
const VALUES_KEPT = 200_000

type Values = Map<string, Set<string>>

/** The rows that a code's day has at most, and if they are many, the values by facet. */
type Day = { rowsMax: number; values?: Values }

/** The rows of one code's day that a batch adds. */
type Part = CodeDay & { key: string; rows: FacetRow[] }

/**
 * Keeps each facet of a code's day within its bound (ledger/facet-bound.ts). Nearly all days are far
 * from it, so of most we only know how many rows they have at most.
 *
 * Processes that write the same day at the same time do not see one another's new rows at once. So
 * each of them may bring about ROWS_UNSEEN_MAX values, and those of one batch, above the bound.
 */
export class FacetLimiter {
  /** By day and code. A plain map, cleared when it is full: an LRU cache took a tenth of the folding thread. */
  readonly #days = new Map<string, Day>()
  #valuesKept = 0

  /**
   * Returns the rows to add to the rollup instead of these; both in the order of the keys. Call `clear`
   * if they are not committed.
   */
  async bound(tables: LedgerTables, rows: FacetRow[]): Promise<FacetRow[]> {
    if (this.#days.size > DAYS_KEPT || this.#valuesKept > VALUES_KEPT) this.clear()
    const parts = partsOf(rows)
    await this.#readSizes(tables, parts)
    let isBound = false
    for (const part of parts) {
      const day = this.#days.get(part.key) as Day
      day.rowsMax += part.rows.length
      if (day.rowsMax <= ROWS_UNSEEN_MAX || isStored(day.values, part.rows)) continue
      part.rows = await this.#boundDay(tables, part, day)
      isBound = true
    }
    return isBound ? parts.flatMap((part) => part.rows) : rows
  }

  clear() {
    this.#days.clear()
    this.#valuesKept = 0
  }

  /** Asks for the days that we do not know. */
  async #readSizes(tables: LedgerTables, parts: Part[]): Promise<void> {
    const unknown = parts.filter(({ key }) => !this.#days.has(key))
    if (unknown.length === 0) return
    const counts = await tables.countFacets(unknown)
    for (const [index, { key }] of unknown.entries()) {
      this.#days.set(key, { rowsMax: counts[index] ?? 0 })
    }
  }

  async #boundDay(tables: LedgerTables, part: Part, known: Day): Promise<FacetRow[]> {
    const { codeId, day, rows } = part
    if (!known.values || mayBeNamed(known.values, rows)) {
      this.#valuesKept -= countOf(known.values)
      known.values = valuesIn(await tables.facetsOf({ codeId, day }))
      this.#valuesKept += countOf(known.values)
    }
    const bounded: FacetRow[] = []
    for (const [facet, ofFacet] of Map.groupBy(rows, ({ facet }) => facet)) {
      const values = orMade(known.values, facet, () => new Set())
      const persons = new Map(ofFacet.map(({ value, persons }) => [value, persons]))
      for (const [value, scans] of byValue(boundFacet(persons, values))) {
        bounded.push({ code_id: codeId, day, facet, value, persons: scans })
        if (!values.has(value)) this.#valuesKept++
        values.add(value)
      }
    }
    return bounded
  }
}

const partsOf = (rows: FacetRow[]): Part[] =>
  [...Map.groupBy(rows, (row) => `${row.day} ${row.code_id}`)].map(([key, some]) => {
    const { code_id: codeId, day } = some[0] as FacetRow
    return { codeId, day, key, rows: some }
  })

const isStored = (values: Values | undefined, rows: FacetRow[]) =>
  values !== undefined && rows.every(({ facet, value }) => values.get(facet)?.has(value))

/** Whether some of these values that we do not know may be stored, or still get a name. */
const mayBeNamed = (values: Values, rows: FacetRow[]) =>
  rows.some(({ facet, value }) => {
    const known = values.get(facet) ?? new Set()
    const isFull = known.size - Number(known.has(REST)) >= FACET_VALUES_MAX
    return !isFull && !known.has(value)
  })

function valuesIn(rows: NamedFacet[]): Values {
  const byFacet = Map.groupBy(rows, ({ facet }) => facet)
  return new Map(
    [...byFacet].map(([facet, some]) => [facet, new Set(some.map(({ value }) => value))]),
  )
}

const countOf = (values: Values = new Map()) =>
  [...values.values()].reduce((sum, { size }) => sum + size, 0)

const byValue = (persons: Map<string, number>) =>
  [...persons].sort(([one], [other]) => (one < other ? -1 : 1))
