import type { Tables } from '../../../database/schema.ts'
import { quarterOf, utcDay } from '../../../dates.ts'
import type { FacetValue, FoldScan } from '../fold-scan.ts'

type CountRow = Tables['scan_counts']
type FacetRow = Tables['scan_facets']
export type Rollup = { counts: CountRow[]; facets: FacetRow[] }

/**
 * Returns what new ledger rows add to the rollups, in the order of the keys: two processes then lock
 * rows in the same order.
 */
export function rollUp(scans: FoldScan[], firsts: ReadonlySet<FoldScan>): Rollup {
  const [counts, facets]: [CountRow[], FacetRow[]] = [[], []]
  for (const [code_id, own] of sortedGroups(Map.groupBy(scans, ({ codeId }) => codeId))) {
    for (const [quarter, some] of sortedGroups(Map.groupBy(own, ({ at }) => quarterOf(at)))) {
      const count = { code_id, quarter, persons: 0, firsts: 0, others: 0 }
      for (const scan of some) {
        if (firsts.has(scan)) count.firsts++
        if (scan.kind.isPerson) count.persons++
        else count.others++
      }
      counts.push(count)
    }
    for (const [day, some] of sortedGroups(Map.groupBy(own, ({ at }) => utcDay(at)))) {
      for (const [{ facet, value }, persons] of facetsOf(some)) {
        facets.push({ code_id, day, facet, value, persons })
      }
    }
  }
  return { counts, facets }
}

const sortedGroups = <Key, Each>(groups: Map<Key, Each>) =>
  groups.size === 1 ? groups : [...groups].sort(([one], [other]) => (one < other ? -1 : 1))

function facetsOf(scans: FoldScan[]): Iterable<[FacetValue, number]> {
  const sums = new Map<FacetValue, number>()
  const kinds = Map.groupBy(scans, ({ kind }) => kind)
  for (const [kind, { length }] of kinds) {
    for (const facet of kind.facets) sums.set(facet, (sums.get(facet) ?? 0) + length)
  }
  // One kind has its facets in order.
  return kinds.size === 1 ? sums : [...sums].sort(([one], [other]) => compareFacets(one, other))
}

function compareFacets(one: FacetValue, other: FacetValue): number {
  if (one.facet !== other.facet) return one.facet < other.facet ? -1 : 1
  return one.value < other.value ? -1 : 1
}
