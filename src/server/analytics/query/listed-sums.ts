import type { Facet } from '#contract/analytics/figure-values.ts'
import { QUARTERS_A_DAY } from '../../dates.ts'
import type { SumList } from '../store/packs/sums.ts'
import { type ClassCounts, facetValue, type ValueCounts } from './counting.ts'
import type { QuarterSums } from './quarter-sums.ts'

/* Adds the sums of packs to what was counted, as counting.ts does with scans. */

export function addQuarterList(sums: QuarterSums, day: number, list: SumList) {
  for (let at = 0; at < list.length; at += 3) {
    const [quarter, scans, visitors] = list.slice(at, at + 3).map(Number) as [
      number,
      number,
      number,
    ]
    sums.add(day * QUARTERS_A_DAY + quarter, scans, visitors)
  }
}

export function addValueList(counts: ValueCounts, facet: Facet, list: SumList) {
  for (let at = 0; at < list.length; at += 2) {
    counts.add(facetValue(facet, list[at] as string | null), list[at + 1] as number)
  }
}

export function addClassList(counts: ClassCounts, list: SumList) {
  for (let at = 0; at < list.length; at += 2) {
    counts.add(list[at] as string, list[at + 1] as number)
  }
}
