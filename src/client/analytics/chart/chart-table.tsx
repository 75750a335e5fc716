import { localDay } from '../../dates.ts'
import { formatCount } from '../../ui/formats.ts'
import { AsTable } from './as-table.tsx'
import { type ChartDay, type Coloured, scansIn, totalOf } from './chart-series.ts'
import styles from './scans-chart.module.css'

type Props = { days: ChartDay[]; series: Coloured[] }

/** The chart's numbers: the newest day first. */
export function ChartTable({ days, series }: Props) {
  return (
    <AsTable label="Scans as a table">
      <Numbers days={days} series={series} />
    </AsTable>
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
            <th scope="row">{localDay(day.date)}</th>
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
