import type { BreakdownRow } from '#contract/analytics/analytics.ts'
import { mosaic } from '../../ui/theme/palette.ts'

/** The largest series of a chart; the smaller ones are added up as 'Other'. */
export const STACKED_MAX = 20
export const OTHER = 'Other'
const OTHER_KEY = 'other'
const OTHER_COLOR = '#948a7d'

/** One colour of the chart: `key` is its field in each day's values, `label` what people read. */
export type ChartSeries = { key: string; label: string; total: number }
/** With its color. After ten series the colors repeat, and those bars and swatches have a pale core. */
export type Coloured = ChartSeries & { color: string; isHollow: boolean }
export type ChartDay = { date: string; [key: string]: string | number }
export type Chart = {
  days: ChartDay[]
  series: ChartSeries[]
  total: number
  /** For each day the codes that 'Other' stands for, most scans first. */
  others: Scans[][]
}

/** A code and its scans on one day. */
export type Scans = { label: string; scans: number }

/**
 * The breakdown as a chart takes it. Keys are ours, since a code may be called `__proto__` or `a.b`;
 * the series with the most scans come first, those without a scan not at all.
 */
export function chartOf(rows: readonly BreakdownRow[]): Chart {
  const totals = new Map<string, number>()
  const cells = rows.map(scansOf)
  for (const [label, value] of cells.flat()) totals.set(label, (totals.get(label) ?? 0) + value)
  const ranked = [...totals].sort(([, a], [, b]) => b - a)
  const large = ranked.slice(0, STACKED_MAX)
  const keys = new Map(large.map(([label], index) => [label, `s${index}`]))
  const series = large.map(([label, total], index) => ({ key: `s${index}`, label, total }))
  const rest = ranked.slice(large.length).reduce((sum, [, total]) => sum + total, 0)
  if (rest > 0) series.push({ key: OTHER_KEY, label: OTHER, total: rest })
  const days = rows.map(({ date }, index) => dayOf(date, cells[index] ?? [], keys))
  const others = cells.map((each) => (rest > 0 ? othersOf(each, keys) : []))
  return { days, series, others, total: series.reduce((sum, each) => sum + each.total, 0) }
}

/** The series with their looks, all of which differ. */
export const colouredOf = (series: readonly ChartSeries[]): Coloured[] =>
  series.map((each, index) => {
    const color = each.key === OTHER_KEY ? undefined : mosaic[index % mosaic.length]
    const isHollow = color !== undefined && index >= mosaic.length
    return { ...each, color: color ?? OTHER_COLOR, isHollow }
  })

type Cell = [label: string, scans: number]

function scansOf(row: BreakdownRow): Cell[] {
  return Object.entries(row).filter((cell): cell is Cell => {
    return cell[0] !== 'date' && typeof cell[1] === 'number' && cell[1] > 0
  })
}

function dayOf(date: string, cells: Cell[], keys: ReadonlyMap<string, string>): ChartDay {
  const day: ChartDay = { date }
  for (const [label, value] of cells) {
    const key = keys.get(label) ?? OTHER_KEY
    day[key] = scansIn(day, key) + value
  }
  return day
}

function othersOf(cells: Cell[], keys: ReadonlyMap<string, string>): Scans[] {
  return cells
    .filter(([label]) => !keys.has(label))
    .map(([label, scans]) => ({ label, scans }))
    .sort((a, b) => b.scans - a.scans)
}

/** A series' scans on one day. */
export const scansIn = (day: ChartDay, key: string) => Number(day[key] ?? 0)

/** The scans of these series on one day. */
export const totalOf = (day: ChartDay, series: readonly { key: string }[]) =>
  series.reduce((sum, { key }) => sum + scansIn(day, key), 0)

/** Codes named below 'Other': more than a person scrolls through, and soon drawn. */
const OTHERS_MAX = 1_000

/** The codes of the tooltip: all with scans on this day, those of 'Other' one by one. */
export function codesOf<Each extends ChartSeries>(
  chart: Pick<Chart, 'days' | 'others'>,
  index: number,
  series: readonly Each[],
): (Scans & { series: Each })[] {
  const day = chart.days[index]
  if (!day) return []
  return series.flatMap((each) => {
    const scans = scansIn(day, each.key)
    if (scans === 0) return []
    if (each.key !== OTHER_KEY) return [{ label: each.label, scans, series: each }]
    const all = chart.others[index] ?? []
    const unnamed = all.slice(OTHERS_MAX)
    const last = {
      label: `${unnamed.length} more`,
      scans: unnamed.reduce((sum, one) => sum + one.scans, 0),
    }
    const codes = [...all.slice(0, OTHERS_MAX), ...(unnamed.length > 0 ? [last] : [])]
    return codes.map((one) => ({ ...one, series: each }))
  })
}

/** Lines across the chart: enough to read a height by, few enough to read. */
const STEPS = 4

/** The values at the chart's lines, from 0 to at least `most`, whole and round. */
export function axisTo(most: number): number[] {
  const rough = Math.max(most / STEPS, 1)
  const power = 10 ** Math.floor(Math.log10(rough))
  const factor = [1, 2, 5, 10].find((each) => each * power >= rough) ?? 10
  const step = factor * power
  const steps = Math.max(1, Math.ceil(most / step))
  return Array.from({ length: steps + 1 }, (_, index) => index * step)
}
