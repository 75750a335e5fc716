import { memo, useMemo } from 'react'
import { localDay, localShortDay } from '../../dates.ts'
import { counted } from '../../ui/formats.ts'
import {
  axisTo,
  type Chart,
  type ChartDay,
  type Coloured,
  scansIn,
  totalOf,
} from './chart-series.ts'
import { barsPath, onScreen, PITCH } from './drawing.ts'
import { Plot } from './plot.tsx'
import styles from './scans-chart.module.css'
import { ScansTooltip } from './scans-tooltip.tsx'

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
      {...{ axis, ticks, valueText }}
      count={days.length}
      label="Day"
      tooltip={(day, held) => <ScansTooltip {...{ chart, day, series }} {...held} />}
    >
      <Bars days={days} series={series} top={axis.at(-1) ?? 1} />
    </Plot>
  )
}

/** One path for each code: an account with many draws twenty of them, not six hundred. */
const Bars = memo(function Bars({
  days,
  series,
  top,
}: {
  days: ChartDay[]
  series: Coloured[]
  top: number
}) {
  const heights = days.map(() => 0)
  const paths = series.map(({ key, color }) => {
    const bars = days.map((day, index) => {
      const from = heights[index] ?? 0
      const to = from + scansIn(day, key)
      heights[index] = to
      return { from, to }
    })
    return { key, color, d: barsPath(bars, onScreen(top)) }
  })
  return (
    <svg
      className={styles.drawing}
      viewBox={`0 0 ${days.length * PITCH} ${top}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {paths.map(({ key, color, d }) => d && <path key={key} d={d} fill={color} />)}
    </svg>
  )
})
