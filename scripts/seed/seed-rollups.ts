import type { Tables } from '../../src/server/database/schema.ts'
import type { SeedDay, SeedScan } from './seed-scans.ts'
import type { SeedVisitor } from './seed-visitors.ts'

const QUARTER_MS = 900_000

export type DayRollups = { counts: Tables['scan_counts'][]; facets: Tables['scan_facets'][] }

/** The rollups of one day's scans, by code. */
export function rollupsOfDay({ day, scans }: SeedDay): DayRollups {
  const byCode = new Map<string, SeedScan[]>()
  for (const scan of scans) {
    const known = byCode.get(scan.code_id)
    if (known) known.push(scan)
    else byCode.set(scan.code_id, [scan])
  }
  const rollups: DayRollups = { counts: [], facets: [] }
  for (const codeId of [...byCode.keys()].sort()) {
    const ofCode = byCode.get(codeId) as SeedScan[]
    rollups.counts.push(...countsOf(codeId, ofCode))
    rollups.facets.push(...facetsOf(codeId, day, ofCode))
  }
  return rollups
}

/** Scans come in the order of time, so each quarter-hour is met once. */
function countsOf(code_id: string, scans: SeedScan[]): Tables['scan_counts'][] {
  const counts: Tables['scan_counts'][] = []
  for (const scan of scans) {
    const quarter = Math.floor(scan.at / QUARTER_MS)
    let count = counts.at(-1)
    if (count?.quarter !== quarter) {
      count = { code_id, quarter, persons: 0, firsts: 0, others: 0 }
      counts.push(count)
    }
    if (scan.class === 'person') count.persons++
    else count.others++
    count.firsts += scan.first
  }
  return counts
}

function facetsOf(code_id: string, day: number, scans: SeedScan[]): Tables['scan_facets'][] {
  const kinds = new Map<SeedVisitor, number>()
  for (const { visitorKind } of scans) kinds.set(visitorKind, (kinds.get(visitorKind) ?? 0) + 1)
  const values = new Map<string, Tables['scan_facets']>()
  for (const [kind, persons] of kinds) {
    for (const [facet, value] of kind.class === 'person' ? Object.entries(kind.facets) : []) {
      if (value === null) continue
      const known = values.get(`${facet}\n${value}`)
      if (known) known.persons += persons
      else values.set(`${facet}\n${value}`, { code_id, day, facet, value, persons })
    }
  }
  return [...values.keys()].sort().map((key) => values.get(key) as Tables['scan_facets'])
}
