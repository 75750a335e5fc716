import { memo, useMemo } from 'react'
import { counted, localDay, localShortDay } from '../../formats.ts'
import { AsTable } from './as-table.tsx'
import { ChartLegend, useHiddenCodes } from './chart-legend.tsx'
import { type Chart, type Coloured, codesOf, colouredOf, scansOn, totalOf } from './chart-series.ts'
import { barsPath, onScreen, ticksEach } from './drawing.ts'
import { Canvas, Plot } from './plot.tsx'
import styles from './scans-chart.module.css'

/** The stacked bars, the codes that they stand for, and the same numbers as a table. */
export default function ScansChart({ chart }: { chart: Chart }) {
  const hidden = useHiddenCodes()
  const { series, total } = chart
  const coloured = useMemo(() => colouredOf(series), [series])
  const shown = useMemo(
    () => coloured.filter(({ label }) => !hidden.has(label)),
    [coloured, hidden],
  )
  return (
    <>
      <figure
        className={styles.figure}
        aria-label={`${counted(total, 'scan')} in the last 30 days, most of ${series[0]?.label}`}
      >
        <Days chart={chart} series={shown} />
        {coloured.length > 1 && <ChartLegend series={coloured} hidden={hidden} />}
      </figure>
      <AsTable label="Scans as a table" table={() => tableOf(chart, shown)} />
    </>
  )
}

/** Days between two dates of the axis, counted from today: as many as fit on a phone. */
const TICK_DAYS = 7

/** The bars of each day, with a colour for each code. */
function Days({ chart, series }: { chart: Chart; series: Coloured[] }) {
  const { dates } = chart
  /** A day with all its scans, and the scans of each code that had some. */
  const read = (index: number) => ({
    head: localDay(dates[index] ?? ''),
    total: counted(totalOf(index, series), 'scan'),
    rows: () =>
      codesOf(chart, index, series).map(({ label, scans, series: { key, color, isHollow } }) => ({
        key: `${key} ${label}`,
        color,
        isHollow,
        name: label,
        count: counted(scans, 'scan'),
      })),
  })
  return (
    <Plot
      count={dates.length}
      most={Math.max(...dates.map((_, day) => totalOf(day, series)))}
      ticks={ticksEach(TICK_DAYS, dates, localShortDay)}
      label="Day"
      read={read}
    >
      {(top) => <Bars count={dates.length} series={series} top={top} />}
    </Plot>
  )
}

/** The pale middle of a bar whose color another series has, too. */
const CORE = 0.3

type BarsProps = { count: number; series: Coloured[]; top: number }

/** One path for each code: an account with many draws twenty of them, not six hundred. */
const Bars = memo(function Bars({ count, series, top }: BarsProps) {
  let below: number[] = []
  const paths = series.map(({ key, scans, color, isHollow }) => {
    const heights = scans.map((each, day) => (below[day] ?? 0) + each)
    const d = barsPath(heights, onScreen(top), below)
    const core = isHollow ? barsPath(heights, onScreen(top), below, CORE) : ''
    below = heights
    return { key, color, d, core }
  })
  return (
    <Canvas count={count} top={top}>
      {paths.map(({ key, color, d, core }) => (
        <g key={key} fill={color}>
          <path d={d} />
          {core && <path d={core} fill="var(--panel)" fillOpacity={0.75} />}
        </g>
      ))}
    </Canvas>
  )
})

/** The newest day comes first. */
function tableOf({ dates }: Chart, series: Coloured[]) {
  const totals = series.map(({ total }) => total)
  return {
    caption: 'Scans of the last 30 days',
    head: ['Day', 'All', ...series.map(({ label }) => label)],
    rows: dates
      .map((date, day) => [
        localDay(date),
        totalOf(day, series),
        ...series.map((each) => scansOn(day, each)),
      ])
      .reverse(),
    foot: ['All days', totals.reduce((sum, total) => sum + total, 0), ...totals],
  }
}
