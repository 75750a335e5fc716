import { totalOf } from './chart/chart-series.ts'
import { linePath } from './chart/drawing.ts'
import { useMonth } from './chart/use-month.ts'
import styles from './stat-cards.module.css'

/** The drawing's own units: the page makes them as large as it likes. */
const [WIDTH, HEIGHT] = [100, 24]

/** A line through these values, from the left edge to the right one, the highest at the top. */
export function sparklinePath(values: readonly number[]): string {
  const pitch = WIDTH / Math.max(values.length - 1, 1)
  const most = Math.max(...values, 1)
  return linePath(values, { pitch, left: -pitch / 2, height: HEIGHT, most })
}

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
      <path d={sparklinePath(days.map((day) => totalOf(day, series)))} />
    </svg>
  )
}
