import { memo, useMemo } from 'react'
import { counted, localDay, localShortDay } from '../../formats.ts'
import {
  axisTo,
  type Chart,
  type ChartDay,
  type Coloured,
  codesOf,
  scansIn,
  totalOf,
} from './chart-series.ts'
import { barsPath, onScreen, PITCH } from './drawing.ts'
import { type Held, Plot, PlotTooltip, TooltipRow } from './plot.tsx'
import styles from './scans-chart.module.css'

/** Days between two dates of the axis, counted from today: as many as fit on a phone. */
const TICK_DAYS = 7
type Props = { chart: Chart; series: Coloured[] }

/** The bars of each day, with a colour for each code. */
export function ChartPlot({ chart, series }: Props) {
  const { days } = chart
  const axis = useMemo(
    () => axisTo(Math.max(...days.map((each) => totalOf(each, series)))),
    [days, series],
  )
  const ticks = useMemo(
    () =>
      days
        .map(({ date }, index) => ({ index, text: localShortDay(date) }))
        .filter(({ index }) => (days.length - 1 - index) % TICK_DAYS === 0),
    [days],
  )
  const valueText = (index: number) => {
    const day = days[index]
    return day ? `${localDay(day.date)}: ${counted(totalOf(day, series), 'scan')}` : ''
  }
  return (
    <Plot
      axis={axis}
      ticks={ticks}
      valueText={valueText}
      count={days.length}
      label="Day"
      tooltip={(day, held) => <Tooltip chart={chart} series={series} day={day} {...held} />}
    >
      <Bars days={days} series={series} top={axis.at(-1) ?? 1} />
    </Plot>
  )
}

/** The pale middle of a bar whose color another series has, too. */
const CORE = 0.3

type BarsProps = { days: ChartDay[]; series: Coloured[]; top: number }

/** One path for each code: an account with many draws twenty of them, not six hundred. */
const Bars = memo(function Bars({ days, series, top }: BarsProps) {
  let below = days.map(() => 0)
  const paths = series.map(({ key, color, isHollow }) => {
    const heights = days.map((day, index) => (below[index] ?? 0) + scansIn(day, key))
    const d = barsPath(heights, onScreen(top), below)
    const core = isHollow ? barsPath(heights, onScreen(top), below, CORE) : ''
    below = heights
    return { key, color, d, core }
  })
  return (
    <svg
      className={styles.drawing}
      viewBox={`0 0 ${days.length * PITCH} ${top}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {paths.map(
        ({ key, color, d, core }) =>
          d && (
            <g key={key} fill={color}>
              <path d={d} />
              {/* A color that another series has, too. */}
              {core && <path d={core} fill="var(--panel)" fillOpacity={0.75} />}
            </g>
          ),
      )}
    </svg>
  )
})

/** More rows than this stand in two columns where there is room. */
const COLUMN_MAX = 9

/** A day with all its scans, and below them the scans of each code that had some. */
function Tooltip({ chart, series, day: index, ...held }: Props & Held & { day: number }) {
  const day = chart.days[index]
  if (!day) return null
  const codes = codesOf(chart, index, series)
  return (
    <PlotTooltip
      {...held}
      index={index}
      count={chart.days.length}
      isMany={codes.length > COLUMN_MAX}
      head={localDay(day.date)}
      total={counted(totalOf(day, series), 'scan')}
    >
      {codes.map(({ label, scans, series: { color, isHollow, key } }) => (
        <TooltipRow
          key={`${key} ${label}`}
          color={color}
          isHollow={isHollow}
          name={label}
          count={counted(scans, 'scan')}
        />
      ))}
    </PlotTooltip>
  )
}
