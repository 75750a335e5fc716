import { formatCount, formatDay } from '../ui/formats.ts'
import type { ChartDay, ChartSeries } from './chart-series.ts'
import styles from './scans-overview.module.css'

type Props = { day: ChartDay | undefined; series: (ChartSeries & { color: string })[] }

/** The day, and the scans of each code that had some. */
export function ScansTooltip({ day, series }: Props) {
  if (!day) return null
  const scanned = series.filter(({ key }) => Number(day[key] ?? 0) > 0)
  return (
    <div className={styles.tooltip}>
      <p className={styles.date}>{formatDay(`${day.date}T12:00:00`)}</p>
      {scanned.map(({ key, label, color }) => (
        <p key={key} className={styles.row}>
          <span className={styles.swatch} style={{ background: color }} aria-hidden />
          <span className={styles.name}>{label}</span>
          <span className={styles.count}>{formatCount(Number(day[key]))} scans</span>
        </p>
      ))}
    </div>
  )
}
