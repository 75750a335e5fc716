import { totalOf } from './chart/chart-series.ts'
import { useMonth } from './chart/use-month.ts'
import styles from './stat-cards.module.css'

/** The drawing's own units: the page makes them as large as it likes. */
const [WIDTH, HEIGHT] = [100, 24]

/** The points of a line through these values, from left to right, the highest at the top. */
export function linePoints(values: readonly number[]): string {
  const most = Math.max(...values, 1)
  const step = WIDTH / Math.max(values.length - 1, 1)
  return values
    .map((value, index) => `${round(index * step)},${round(HEIGHT * (1 - value / most))}`)
    .join(' ')
}

const round = (value: number) => Math.round(10 * value) / 10

/** The scans of the last 30 days as a small line. The chart below says the same in numbers. */
export function Sparkline() {
  const { chart } = useMonth()
  if (!chart || chart.total === 0) return null
  const { days, series } = chart
  return (
    <svg
      className={styles.line}
      viewBox={`0 -2 ${WIDTH} ${HEIGHT + 4}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polyline points={linePoints(days.map((day) => totalOf(day, series)))} />
    </svg>
  )
}
