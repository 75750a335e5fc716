import type { Tables } from '../../database/schema.ts'
import { quarterOf, utcDay } from '../instants.ts'
import type { Scan } from './scan.ts'

type CountRow = Tables['scan_counts']
type FacetRow = Tables['scan_facets']

/** The facets of scans, each named like its column in the ledger. */
export const facetNames = [
  'country',
  'device',
  'os',
  'browser',
  'referrer',
  'language',
] as const satisfies (keyof Scan)[]

/**
 * What a set of new ledger rows adds to the rollups, in the order of the keys: two processes that
 * write the same rows then lock them in the same order.
 */
export function rollUp(scans: Scan[], isFirst: (id: string) => boolean) {
  const counts = new Map<string, CountRow>()
  const facets = new Map<string, FacetRow>()
  for (const scan of scans) {
    countScan(counts, scan, isFirst(scan.id))
    if (scan.class === 'person') countFacets(facets, scan)
  }
  return { counts: inKeyOrder(counts), facets: inKeyOrder(facets) }
}

function countScan(counts: Map<string, CountRow>, scan: Scan, first: boolean) {
  const { code_id } = scan
  const quarter = quarterOf(scan.at)
  const key = `${code_id}\n${quarter}`
  const row = counts.get(key) ?? { code_id, quarter, persons: 0, firsts: 0, others: 0 }
  counts.set(key, row)
  if (scan.class === 'person') row.persons++
  else row.others++
  if (first) row.firsts++
}

function countFacets(facets: Map<string, FacetRow>, scan: Scan) {
  const { code_id } = scan
  const day = utcDay(scan.at)
  for (const facet of facetNames) {
    const value = scan[facet]
    if (value === null) continue
    const key = `${code_id}\n${day}\n${facet}\n${value}`
    const row = facets.get(key)
    if (row) row.persons++
    else facets.set(key, { code_id, day, facet, value, persons: 1 })
  }
}

function inKeyOrder<Row>(rows: Map<string, Row>): Row[] {
  if (rows.size === 1) return [...rows.values()]
  return [...rows.keys()].sort().map((key) => rows.get(key) as Row)
}
