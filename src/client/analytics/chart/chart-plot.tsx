import { memo, useId, useMemo, useRef } from 'react'
import { counted, formatCount } from '../../ui/formats.ts'
import {
  axisTo,
  type Chart,
  type ChartDay,
  type Coloured,
  dayText,
  scansIn,
  totalOf,
} from './chart-series.ts'
import { useReadDay } from './read-day.ts'
import styles from './scans-chart.module.css'
import { ScansTooltip } from './scans-tooltip.tsx'

const axisDay = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})

/** Days between two dates of the axis, counted from today: as many as fit on a phone. */
const TICK_DAYS = 7
/** A bar and the space around it, in the drawing's own units, which are as wide as the page makes them. */
const PITCH = 10
const BAR = 7

type Props = { chart: Chart; series: Coloured[] }

/**
 * The bars. A pointer reads the day that it is at, a click or a tap keeps that day open; the keyboard
 * and assistive technology move a slider over the days.
 */
export function ChartPlot({ chart, series }: Props) {
  const { days } = chart
  const area = useRef<HTMLDivElement>(null)
  const { day, isHeld, pointer, slider, tooltip } = useReadDay(area, days.length)
  const tooltipId = useId()
  const read = days[day ?? days.length - 1]
  const axis = useMemo(
    () => axisTo(Math.max(...days.map((each) => totalOf(each, series)))),
    [days, series],
  )
  return (
    <div className={styles.plot} ref={area}>
      <Axes days={days} axis={axis} />
      <div className={styles.bars} {...pointer}>
        <input
          type="range"
          className={styles.slider}
          min={0}
          max={days.length - 1}
          step={1}
          aria-label="Day"
          aria-valuetext={
            read && `${dayText(read.date)}: ${counted(totalOf(read, series), 'scan')}`
          }
          aria-describedby={day === null ? undefined : tooltipId}
          {...slider}
        />
        {day !== null && (
          <div className={styles.read} style={{ left: percent(day, days.length) }} />
        )}
        <Bars days={days} series={series} top={axis.at(-1) ?? 1} />
      </div>
      <div className={styles.over}>
        {day !== null && (
          <ScansTooltip id={tooltipId} {...{ chart, day, series, isHeld }} {...tooltip} />
        )}
      </div>
    </div>
  )
}

const percent = (index: number, count: number) => `${(100 * index) / count}%`

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
    const path = days.map((day, index) => {
      const value = scansIn(day, key)
      if (value === 0) return ''
      const base = heights[index] ?? 0
      heights[index] = base + value
      const left = index * PITCH + (PITCH - BAR) / 2
      return `M${left} ${top - base}v${-value}h${BAR}v${value}z`
    })
    return { key, color, d: path.join('') }
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

const Axes = memo(function Axes({ days, axis }: { days: ChartDay[]; axis: number[] }) {
  const top = axis.at(-1) ?? 1
  return (
    <div className={styles.axes} aria-hidden="true">
      {axis.map((value) => (
        <span key={value} className={styles.line} style={{ bottom: `${(100 * value) / top}%` }}>
          <span className={styles.value}>{formatCount(value)}</span>
        </span>
      ))}
      {days.map(({ date }, index) =>
        (days.length - 1 - index) % TICK_DAYS === 0 ? (
          <span
            key={date}
            className={styles.date}
            style={{ left: percent(index + 0.5, days.length) }}
          >
            {axisDay.format(new Date(date))}
          </span>
        ) : null,
      )}
    </div>
  )
})
