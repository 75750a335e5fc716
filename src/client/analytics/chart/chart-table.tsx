import { useState } from 'react'
import { formatCount } from '../../ui/formats.ts'
import { type ChartDay, type Coloured, dayText, scansIn, totalOf } from './chart-series.ts'
import styles from './scans-chart.module.css'

type Props = { days: ChartDay[]; series: Coloured[] }

/** The chart's numbers for those who read rather than look: the newest day first. */
export function ChartTable({ days, series }: Props) {
  const [opened, setOpened] = useState(false)
  return (
    <details
      className={styles.details}
      onToggle={({ currentTarget }) => setOpened(currentTarget.open)}
    >
      <summary>Show as a table</summary>
      {opened && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        <section className={styles.scroll} tabIndex={0} aria-label="Scans as a table">
          <Numbers days={days} series={series} />
        </section>
      )}
    </details>
  )
}

function Numbers({ days, series }: Props) {
  const sum = (key: string) => days.reduce((total, day) => total + scansIn(day, key), 0)
  const all = days.reduce((total, day) => total + totalOf(day, series), 0)
  return (
    <table className={styles.table}>
      <caption>Scans of the last 30 days</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col">All</th>
          {series.map(({ key, label }) => (
            <th key={key} scope="col">
              <bdi>{label}</bdi>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map((day) => (
          <tr key={day.date}>
            <th scope="row">{dayText(day.date)}</th>
            <td>{formatCount(totalOf(day, series))}</td>
            {series.map(({ key }) => (
              <td key={key}>{formatCount(scansIn(day, key))}</td>
            ))}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">All days</th>
          <td>{formatCount(all)}</td>
          {series.map(({ key }) => (
            <td key={key}>{formatCount(sum(key))}</td>
          ))}
        </tr>
      </tfoot>
    </table>
  )
}
