import { useMemo } from 'react'
import { counted, localDay } from '../../formats.ts'
import { AsTable } from './as-table.tsx'
import { ChartLegend, useHiddenCodes } from './chart-legend.tsx'
import { ChartPlot } from './chart-plot.tsx'
import { type Chart, type Coloured, colouredOf, scansIn, totalOf } from './chart-series.ts'
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
        <ChartPlot chart={chart} series={shown} />
        {coloured.length > 1 && <ChartLegend series={coloured} hidden={hidden} />}
      </figure>
      <AsTable label="Scans as a table" table={() => tableOf(chart, shown)} />
    </>
  )
}

/** The newest day comes first. */
function tableOf({ days }: Chart, series: Coloured[]) {
  const totals = series.map(({ total }) => total)
  return {
    caption: 'Scans of the last 30 days',
    head: ['Day', 'All', ...series.map(({ label }) => label)],
    rows: days
      .toReversed()
      .map((day) => [
        localDay(day.date),
        totalOf(day, series),
        ...series.map(({ key }) => scansIn(day, key)),
      ]),
    foot: ['All days', totals.reduce((sum, total) => sum + total, 0), ...totals],
  }
}
