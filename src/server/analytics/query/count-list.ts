import { type Facet, LIST_ROWS_MAX } from '#contract/analytics/figure-values.ts'
import { REST } from '../store/ledger/facet-bound.ts'
import type { Listed } from './count-task.ts'
import type { ValueCounts } from './counting.ts'

/** Facets in which the rest of many rare values has a name that no value of its own has. */
const REST_IS_APART = new Set<Facet>(['country', 'language', 'referrer'])

/** The list of a facet's values. */
export function listed(facet: Facet, counts: ValueCounts): Listed {
  const unknown = counts.get(null) ?? 0
  const named: { value: string; scans: number }[] = []
  let others = 0
  let scans = unknown
  for (const [value, count] of counts) {
    if (value === null || count === 0) continue
    scans += count
    if (value === REST && REST_IS_APART.has(facet)) others += count
    else named.push({ value, scans: count })
  }
  named.sort((one, other) => other.scans - one.scans || (one.value < other.value ? -1 : 1))
  for (const { scans } of named.slice(LIST_ROWS_MAX)) others += scans
  return { values: named.slice(0, LIST_ROWS_MAX), unknown, others, scans }
}
