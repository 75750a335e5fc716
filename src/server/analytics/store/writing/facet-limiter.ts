import { LRUCache } from 'lru-cache'
import type { Tables } from '../../../database/schema.ts'
import { boundFacet, FACET_VALUES_MAX, REST } from '../ledger/facet-bound.ts'
import type { CodeDay, LedgerTables } from './ledger-tables.ts'

type FacetRow = Tables['scan_facets']

/** Up to so many rows of a code's day, all facets together, we do not look at which they are. */
export const ROWS_UNSEEN_MAX = 100
const DAYS_KEPT = 50_000
/** Days whose values we know: each may have 3,000. */
const VALUED_DAYS_KEPT = 64

type Values = Map<string, Set<string>>

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
  /** The rows that a code's day has at most */
  readonly #sizes = new LRUCache<string, number>({ max: DAYS_KEPT })
  /** Its values by facet, if its rows are many */
  readonly #values = new LRUCache<string, Values>({ max: VALUED_DAYS_KEPT })

  /**
   * What to add to the rollup instead of these rows; both in the order of the keys. Call `clear` if it
   * is not committed.
   */
  async bound(tables: LedgerTables, rows: FacetRow[]): Promise<FacetRow[]> {
    const parts = partsOf(rows)
    const sizes = await this.#sizesOf(tables, parts)
    let isBound = false
    for (const [index, part] of parts.entries()) {
      const atMost = (sizes[index] ?? 0) + part.rows.length
      this.#sizes.set(part.key, atMost)
      if (atMost <= ROWS_UNSEEN_MAX || isStored(this.#values.get(part.key), part.rows)) continue
      part.rows = await this.#boundDay(tables, part)
      isBound = true
    }
    return isBound ? parts.flatMap((part) => part.rows) : rows
  }

  clear() {
    this.#sizes.clear()
    this.#values.clear()
  }

  /** Asks for the days that we do not know. */
  async #sizesOf(tables: LedgerTables, parts: Part[]): Promise<number[]> {
    const sizes = parts.map(({ key }) => this.#sizes.get(key))
    const unknown = parts.filter((_, index) => sizes[index] === undefined)
    if (unknown.length === 0) return sizes as number[]
    const counts = (await tables.countFacets(unknown)).values()
    return sizes.map((size) => size ?? counts.next().value ?? 0)
  }

  async #boundDay(tables: LedgerTables, { key, codeId, day, rows }: Part): Promise<FacetRow[]> {
    let known = this.#values.get(key)
    if (!known || mayBeNamed(known, rows)) {
      known = valuesIn(await tables.facetsOf({ codeId, day }))
      this.#values.set(key, known)
    }
    const bounded: FacetRow[] = []
    for (const [facet, ofFacet] of Map.groupBy(rows, ({ facet }) => facet)) {
      const values = known.get(facet) ?? new Set()
      known.set(facet, values)
      const persons = new Map(ofFacet.map(({ value, persons }) => [value, persons]))
      for (const [value, scans] of inOrder(boundFacet(persons, values))) {
        bounded.push({ code_id: codeId, day, facet, value, persons: scans })
        values.add(value)
      }
    }
    return bounded
  }
}

function partsOf(rows: FacetRow[]): Part[] {
  const parts: Part[] = []
  let part: Part | undefined
  for (const row of rows) {
    const { code_id: codeId, day } = row
    if (part?.codeId !== codeId || part.day !== day) {
      part = { codeId, day, key: `${day} ${codeId}`, rows: [] }
      parts.push(part)
    }
    part.rows.push(row)
  }
  return parts
}

const isStored = (values: Values | undefined, rows: FacetRow[]) =>
  values !== undefined && rows.every(({ facet, value }) => values.get(facet)?.has(value))

/** Whether some of these values that we do not know may be stored, or still get a name. */
const mayBeNamed = (values: Values, rows: FacetRow[]) =>
  rows.some(({ facet, value }) => {
    const known = values.get(facet) ?? new Set()
    const isFull = known.size - Number(known.has(REST)) >= FACET_VALUES_MAX
    return !isFull && !known.has(value)
  })

function valuesIn(rows: Pick<FacetRow, 'facet' | 'value'>[]): Values {
  const byFacet = Map.groupBy(rows, ({ facet }) => facet)
  return new Map(
    [...byFacet].map(([facet, some]) => [facet, new Set(some.map(({ value }) => value))]),
  )
}

const inOrder = (persons: Map<string, number>) =>
  [...persons].sort(([one], [other]) => (one < other ? -1 : 1))
