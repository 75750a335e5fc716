import type { CSSProperties, FocusEventHandler } from 'react'
import { counted } from '../ui/formats.ts'
import { Swatch } from './chart-legend.tsx'
import { type Chart, type Coloured, codesOf, dayText, totalOf } from './chart-series.ts'
import styles from './scans-chart.module.css'

type Props = {
  id: string
  chart: Chart
  /** Its place among the chart's days. */
  day: number
  series: Coloured[]
  /** It stays, so that it can be scrolled. */
  isHeld: boolean
  onBlur: FocusEventHandler
}

/** More rows than this stand in two columns where there is room. */
const COLUMN_MAX = 9

/** The day and all its scans, and below them the scans of each code that had some. */
export function ScansTooltip({ id, chart, day: index, series, isHeld, onBlur }: Props) {
  const day = chart.days[index]
  if (!day) return null
  const codes = codesOf(chart, index, series)
  const isMany = codes.length > COLUMN_MAX
  return (
    <div
      id={id}
      role="tooltip"
      className={styles.tooltip}
      data-held={isHeld || undefined}
      data-many={isMany || undefined}
      data-side={index < chart.days.length / 2 ? 'right' : 'left'}
      style={{ '--day': (index + 0.5) / chart.days.length } as CSSProperties}
      // Somebody with a keyboard scrolls it, too.
      tabIndex={isHeld && isMany ? 0 : undefined}
      onBlur={onBlur}
    >
      <p className={styles.head}>
        <span>{dayText(day.date)}</span>
        <strong>{counted(totalOf(day, series), 'scan')}</strong>
      </p>
      <div className={styles.rows}>
        {codes.map(({ label, scans, series: { color, key } }) => (
          <p key={`${key} ${label}`} className={styles.row}>
            <Swatch color={color} />
            <span className={styles.name} dir="auto">
              {label}
            </span>{' '}
            <span className={styles.count}>{counted(scans, 'scan')}</span>
          </p>
        ))}
      </div>
      {isMany && !isHeld && <p className={styles.hint}>Click to keep this open and scroll</p>}
    </div>
  )
}
