import type { Tables } from '../../../database/schema.ts'
import { quarterOf, utcDay } from '../../../dates.ts'
import type { FacetValue, FoldScan, ScanKind } from '../fold-scan.ts'

type CountRow = Tables['scan_counts']
type FacetRow = Tables['scan_facets']
export type Rollup = { counts: CountRow[]; facets: FacetRow[] }

/** The sums of a set of scans of one code: its quarters, and how many scans of each kind its days have. */
class CodeSums {
  readonly codeId: string
  readonly counts: CountRow[] = []
  readonly days = new Map<number, Map<ScanKind, number>>()
  #count: CountRow | undefined

  constructor(codeId: string) {
    this.codeId = codeId
  }

  add({ at, kind }: FoldScan, isFirst: boolean) {
    const count = this.#countOf(quarterOf(at))
    if (isFirst) count.firsts++
    if (kind.isPerson) count.persons++
    else count.others++
    if (kind.facets.length > 0) this.#addKind(utcDay(at), kind)
  }

  /** Scans come nearly in the order of time, so the last quarter is mostly the one. */
  #countOf(quarter: number): CountRow {
    if (this.#count?.quarter === quarter) return this.#count
    this.#count = this.counts.find((count) => count.quarter === quarter)
    if (!this.#count) {
      this.#count = { code_id: this.codeId, quarter, persons: 0, firsts: 0, others: 0 }
      this.counts.push(this.#count)
    }
    return this.#count
  }

  #addKind(day: number, kind: ScanKind) {
    let kinds = this.days.get(day)
    if (!kinds) {
      kinds = new Map()
      this.days.set(day, kinds)
    }
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
}

/**
 * Returns what new ledger rows add to the rollups, in the order of the keys: two processes then lock
 * rows in the same order.
 */
export function rollUp(scans: FoldScan[], firsts: ReadonlySet<FoldScan>): Rollup {
  const codes = new Map<string, CodeSums>()
  for (const scan of scans) {
    let sums = codes.get(scan.codeId)
    if (!sums) {
      sums = new CodeSums(scan.codeId)
      codes.set(scan.codeId, sums)
    }
    sums.add(scan, firsts.has(scan))
  }
  const rollup: Rollup = { counts: [], facets: [] }
  for (const codeId of [...codes.keys()].sort()) addCode(rollup, codes.get(codeId) as CodeSums)
  return rollup
}

function addCode({ counts, facets }: Rollup, sums: CodeSums) {
  counts.push(...sums.counts.sort((one, other) => one.quarter - other.quarter))
  for (const day of [...sums.days.keys()].sort((one, other) => one - other)) {
    for (const [{ facet, value }, persons] of facetsOf(sums.days.get(day) ?? new Map())) {
      facets.push({ code_id: sums.codeId, day, facet, value, persons })
    }
  }
}

function facetsOf(kinds: Map<ScanKind, number>): [FacetValue, number][] {
  const sums = new Map<FacetValue, number>()
  for (const [kind, scans] of kinds) {
    for (const facet of kind.facets) sums.set(facet, (sums.get(facet) ?? 0) + scans)
  }
  // One kind has its facets in order.
  return kinds.size === 1
    ? [...sums]
    : [...sums].sort(([one], [other]) => compareFacets(one, other))
}

function compareFacets(one: FacetValue, other: FacetValue): number {
  if (one.facet !== other.facet) return one.facet < other.facet ? -1 : 1
  return one.value < other.value ? -1 : 1
}
