import { useDeferredValue } from 'react'
import type { BreakdownRow } from '#contract/analytics/analytics.ts'
import { useDailyBreakdown } from '../queries.ts'
import { type Chart, chartOf } from './chart-series.ts'

const made = new WeakMap<readonly BreakdownRow[], Chart>()

/** Made once for all who draw it. */
function chartOnce(rows: readonly BreakdownRow[]): Chart {
  const known = made.get(rows)
  if (known) return known
  const chart = chartOf(rows)
  made.set(rows, chart)
  return chart
}

/**
 * The scans of the last 30 days as a chart, undefined until it is there; the error where it cannot be
 * read. Deferred: a slow phone that is drawing the list goes on with it.
 */
export function useMonth() {
  const { data, error, refetch } = useDailyBreakdown()
  const rows = useDeferredValue(data)
  return { chart: rows && chartOnce(rows), error: data ? null : error, refetch }
}
