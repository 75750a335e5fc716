import type { BreakdownRow } from '#contract/analytics/analytics.ts'
import { mosaic } from '../../ui/theme/palette.ts'

/** The largest series of a chart; the smaller ones are added up as 'Other'. */
export const STACKED_MAX = 20
export const OTHER = 'Other'
const OTHER_COLOR = '#948a7d'

/** One code of the chart, or with `isOther` all the smaller ones; `scans` has those of each day. */
export type ChartSeries = { label: string; isOther: boolean; scans: number[]; total: number }
/** With its color. After ten series the colors repeat, and those bars and swatches have a pale core. */
export type Coloured = ChartSeries & { key: string; color: string; isHollow: boolean }
export type Chart = {
  dates: string[]
  series: ChartSeries[]
  total: number
  /** The codes that 'Other' stands for, most scans first. */
  others: ChartSeries[]
}

const sum = (values: readonly number[]) => values.reduce((all, each) => all + each, 0)

/** The breakdown as a chart takes it: the series with the most scans first, those without a scan not at all. */
export function chartOf(rows: readonly BreakdownRow[]): Chart {
  const dates = rows.map(({ date }) => date)
  const labels = new Set(rows.flatMap((row) => Object.keys(row)))
  labels.delete('date')
  // A code may be called `__proto__`.
  const scansIn = (row: BreakdownRow, label: string) =>
    Object.hasOwn(row, label) ? Number(row[label]) : 0
  const ranked = [...labels]
    .map((label) =>
      seriesOf(
        label,
        rows.map((row) => scansIn(row, label)),
      ),
    )
    .filter(({ total }) => total > 0)
    .sort((a, b) => b.total - a.total)
  const series = ranked.slice(0, STACKED_MAX)
  const others = ranked.slice(STACKED_MAX)
  if (others.length > 0) {
    const rest = dates.map((_, day) => totalOf(day, others))
    series.push({ ...seriesOf(OTHER, rest), isOther: true })
  }
  return { dates, series, others, total: sum(series.map(({ total }) => total)) }
}

const seriesOf = (label: string, scans: number[]): ChartSeries => ({
  label,
  isOther: false,
  scans,
  total: sum(scans),
})

/** The series with their looks, all of which differ. */
export const colouredOf = (series: readonly ChartSeries[]): Coloured[] =>
  series.map((each, index) => {
    const color = each.isOther ? undefined : mosaic[index % mosaic.length]
    const isHollow = color !== undefined && index >= mosaic.length
    return { ...each, key: `s${index}`, color: color ?? OTHER_COLOR, isHollow }
  })

/** A series' scans on one day. */
/** A series' scans on one day. */
export const scansOn = (day: number, { scans }: ChartSeries) => scans[day] ?? 0

/** The scans of these series on one day. */
export const totalOf = (day: number, series: readonly ChartSeries[]) =>
  sum(series.map((each) => scansOn(day, each)))

/** Codes named below 'Other': more than a person scrolls through, and soon drawn. */
const OTHERS_MAX = 1_000

/** A code and its scans on one day. */
type Scans<Each> = { label: string; scans: number; series: Each }

/** The codes of the tooltip: all with scans on this day, those of 'Other' one by one. */
export function codesOf<Each extends ChartSeries>(
  { others }: Pick<Chart, 'others'>,
  day: number,
  shown: readonly Each[],
): Scans<Each>[] {
  return shown.flatMap((series) => {
    const codes = (series.isOther ? others : [series])
      .map((code) => ({ label: code.label, scans: scansOn(day, code), series }))
      .filter(({ scans }) => scans > 0)
    if (series.isOther) codes.sort((a, b) => b.scans - a.scans)
    const unnamed = codes.splice(OTHERS_MAX)
    if (unnamed.length > 0) {
      const scans = sum(unnamed.map((code) => code.scans))
      codes.push({ label: `${unnamed.length} more`, scans, series })
    }
    return codes
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
