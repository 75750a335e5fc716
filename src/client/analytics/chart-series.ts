import type { BreakdownRow } from '#contract/analytics.ts'

/** The largest series of a chart; the smaller ones are added up as 'Other'. */
export const STACKED_MAX = 20
export const OTHER = 'Other'

/** One colour of the chart: `key` is its field in each day's values, `label` what people read. */
export type ChartSeries = { key: string; label: string; total: number }
export type ChartDay = { date: string; [key: string]: string | number }
export type Chart = { days: ChartDay[]; series: ChartSeries[]; total: number }

/**
 * The breakdown as a chart takes it. Keys are ours, since a code may be called `__proto__` or `a.b`;
 * the series with the most scans come first, those without a scan not at all.
 */
export function chartOf(rows: readonly BreakdownRow[]): Chart {
  const totals = new Map<string, number>()
  for (const row of rows) {
    for (const [label, value] of scansOf(row)) totals.set(label, (totals.get(label) ?? 0) + value)
  }
  const ranked = [...totals].sort(([, a], [, b]) => b - a)
  const large = ranked.slice(0, STACKED_MAX)
  const keys = new Map(large.map(([label], index) => [label, `s${index}`]))
  const series = large.map(([label, total], index) => ({ key: `s${index}`, label, total }))
  const rest = ranked.slice(large.length).reduce((sum, [, total]) => sum + total, 0)
  if (rest > 0) series.push({ key: 'other', label: OTHER, total: rest })
  const days = rows.map((row) => dayOf(row, keys))
  return { days, series, total: series.reduce((sum, each) => sum + each.total, 0) }
}

function scansOf(row: BreakdownRow): [string, number][] {
  return Object.entries(row).filter((cell): cell is [string, number] => {
    return cell[0] !== 'date' && typeof cell[1] === 'number' && cell[1] > 0
  })
}

function dayOf(row: BreakdownRow, keys: ReadonlyMap<string, string>): ChartDay {
  const day: ChartDay = { date: row.date }
  for (const [label, value] of scansOf(row)) {
    const key = keys.get(label) ?? 'other'
    day[key] = Number(day[key] ?? 0) + value
  }
  return day
}
