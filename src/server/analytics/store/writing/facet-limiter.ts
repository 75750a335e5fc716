import type { Tables } from '../../../database/schema.ts'
import { boundFacet, FACET_VALUES_MAX, REST } from '../ledger/facet-bound.ts'
import type { CodeDay, LedgerTables } from './ledger-tables.ts'

type FacetRow = Tables['scan_facets']

/** Up to so many rows of a code's day, all facets together, we do not look at which they are. */
export const ROWS_UNSEEN_MAX = 100
const DAYS_KEPT = 50_000
/** A code's day may have 3,000 of them. */
const VALUES_KEPT = 200_000

type Values = Map<string, Set<string>>

/** The rows that a code's day has at most, and if they are many, the values by facet. */
type Day = { atMost: number; values?: Values | undefined }

/** The rows of one code's day that a batch adds. */
type Part = CodeDay & { rows: FacetRow[]; known: Day | undefined }

/**
 * Keeps each facet of a code's day within its bound (facet-bound.ts). Nearly all days are far
 * from it, so of most we only know how many rows they have at most.
 *
 * Processes that write the same day at the same time do not see one another's new rows at once. So
 * each of them may bring about ROWS_UNSEEN_MAX values, and those of one batch, above the bound.
 */
export class FacetRoom {
  /** By day and code */
  readonly #days = new Map<number, Map<string, Day>>()
  #daysKept = 0
  #valuesKept = 0

  /**
   * What to add to the rollup instead of these rows; both in the order of the keys. Call `clear` if it
   * is not committed.
   */
  async bound(tables: LedgerTables, rows: FacetRow[]): Promise<FacetRow[]> {
    if (this.#daysKept > DAYS_KEPT || this.#valuesKept > VALUES_KEPT) this.clear()
    const parts = this.#partsOf(rows)
    await this.#count(tables, parts)
    let isBound = false
    for (const part of parts) {
      const day = part.known as Day
      day.atMost += part.rows.length
      if (day.atMost <= ROWS_UNSEEN_MAX || isStored(day, part.rows)) continue
      part.rows = await this.#boundDay(tables, part, day)
      isBound = true
    }
    return isBound ? parts.flatMap((part) => part.rows) : rows
  }

  clear() {
    this.#days.clear()
    this.#daysKept = 0
    this.#valuesKept = 0
  }

  #partsOf(rows: FacetRow[]): Part[] {
    const parts: Part[] = []
    let part: Part | undefined
    for (const row of rows) {
      const { code_id: codeId, day } = row
      if (part?.codeId !== codeId || part.day !== day) {
        part = { codeId, day, rows: [], known: this.#days.get(day)?.get(codeId) }
        parts.push(part)
      }
      part.rows.push(row)
    }
    return parts
  }

  /** Asks for the days that we do not know. */
  async #count(tables: LedgerTables, parts: Part[]): Promise<void> {
    const unknown = parts.filter(({ known }) => !known)
    if (unknown.length === 0) return
    const counts = await tables.countFacets(unknown)
    for (const [index, part] of unknown.entries()) {
      part.known = { atMost: counts[index] ?? 0 }
      const codes = this.#days.get(part.day) ?? new Map()
      this.#days.set(part.day, codes.set(part.codeId, part.known))
      this.#daysKept++
    }
  }

  async #boundDay(tables: LedgerTables, { codeId, day, rows }: Part, known: Day) {
    if (!known.values || mayBeNamed(known.values, rows)) {
      this.#valuesKept -= countOf(known.values)
      known.values = valuesIn(await tables.facetsOf({ codeId, day }))
      this.#valuesKept += countOf(known.values)
    }
    const bounded: FacetRow[] = []
    for (const [facet, ofFacet] of Map.groupBy(rows, ({ facet }) => facet)) {
      const values = known.values.get(facet) ?? new Set()
      known.values.set(facet, values)
      const persons = new Map(ofFacet.map(({ value, persons }) => [value, persons]))
      for (const [value, scans] of inOrder(boundFacet(persons, values))) {
        bounded.push({ code_id: codeId, day, facet, value, persons: scans })
        if (!values.has(value)) this.#valuesKept++
        values.add(value)
      }
    }
    return bounded
  }
}

const isStored = ({ values }: Day, rows: FacetRow[]) =>
  values !== undefined && rows.every(({ facet, value }) => values.get(facet)?.has(value))

/** Whether some of these values that we do not know may be stored, or still get a name. */
const mayBeNamed = (values: Values, rows: FacetRow[]) =>
  rows.some(({ facet, value }) => {
    const known = values.get(facet) ?? new Set()
    const isFull = known.size - Number(known.has(REST)) >= FACET_VALUES_MAX
    return !isFull && !known.has(value)
  })

function valuesIn(rows: Pick<FacetRow, 'facet' | 'value'>[]): Values {
  const values: Values = new Map()
  for (const { facet, value } of rows) {
    const known = values.get(facet) ?? new Set()
    values.set(facet, known.add(value))
  }
  return values
}

const countOf = (values: Values = new Map()) =>
  [...values.values()].reduce((sum, { size }) => sum + size, 0)

const inOrder = (persons: Map<string, number>) =>
  [...persons].sort(([one], [other]) => (one < other ? -1 : 1))
