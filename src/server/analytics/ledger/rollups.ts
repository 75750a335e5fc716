import { quarterOf, utcDay } from './instants.ts'
import type { Scan } from './scan.ts'

export type CountRow = [
  codeId: string,
  quarter: number,
  persons: number,
  firsts: number,
  others: number,
]
export type FacetRow = [codeId: string, day: number, facet: string, value: string, persons: number]

const facetColumns = [
  ['country', 5],
  ['device', 8],
  ['os', 9],
  ['browser', 10],
  ['referrer', 11],
  ['language', 12],
] as const satisfies [string, keyof Scan & number][]

/** Facets are named like the ledger's columns. */
export const facetNames = facetColumns.map(([facet]) => facet)

/**
 * What a set of new ledger rows adds to the rollups, aggregated and in the order of the keys: two
 * processes that write the same rows then take their locks in the same order.
 */
export function rollUp(scans: Scan[], isFirst: (id: string) => boolean) {
  const counts = new Map<string, CountRow>()
  const facets = new Map<string, FacetRow>()
  for (const scan of scans) {
    countScan(counts, scan, isFirst(scan[0]))
    if (scan[3] === 'person') countFacets(facets, scan)
  }
  return { counts: inKeyOrder(counts), facets: inKeyOrder(facets) }
}

function countScan(counts: Map<string, CountRow>, scan: Scan, first: boolean) {
  const [, codeId, at, scanClass] = scan
  const quarter = quarterOf(at)
  const key = `${codeId}\n${quarter}`
  const row: CountRow = counts.get(key) ?? [codeId, quarter, 0, 0, 0]
  counts.set(key, row)
  if (scanClass === 'person') row[2]++
  else row[4]++
  if (first) row[3]++
}

function countFacets(facets: Map<string, FacetRow>, scan: Scan) {
  const day = utcDay(scan[2])
  for (const [facet, column] of facetColumns) {
    const value = scan[column]
    if (value === null) continue
    const key = `${scan[1]}\n${day}\n${facet}\n${value}`
    const row = facets.get(key)
    if (row) row[4]++
    else facets.set(key, [scan[1], day, facet, value, 1])
  }
}

function inKeyOrder<Row>(rows: Map<string, Row>): Row[] {
  if (rows.size === 1) return [...rows.values()]
  return [...rows.keys()].sort().map((key) => rows.get(key) as Row)
}
