import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import type { BreakdownRow } from '#contract/analytics/analytics.ts'
import { zoneQuery } from '../../formats.ts'
import { type Chart, chartOf } from './chart-series.ts'

const charts = new WeakMap<readonly BreakdownRow[], Chart>()

/** Makes the chart once for all components that draw it. */
function chartOnce(rows: readonly BreakdownRow[]): Chart {
  const chart = charts.get(rows) ?? chartOf(rows)
  charts.set(rows, chart)
  return chart
}

/**
 * The scans of the last 30 days in the visitor's zone as a chart, undefined until it is there; the
 * error if it cannot be read. Deferred: a slow phone that is drawing the list goes on with it.
 */
export function useMonth() {
  const { data, error, refetch } = useQuery<BreakdownRow[]>({
    queryKey: ['/api/analytics', `daily-breakdown${zoneQuery()}`],
  })
  const rows = useDeferredValue(data)
  return { chart: rows && chartOnce(rows), error: data ? null : error, refetch }
}
