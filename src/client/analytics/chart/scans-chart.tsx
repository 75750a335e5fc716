import { useMemo } from 'react'
import { counted } from '../../ui/formats.ts'
import { mosaic } from '../../ui/palette.ts'
import { ChartLegend } from './chart-legend.tsx'
import { ChartPlot } from './chart-plot.tsx'
import type { Chart, ChartSeries, Coloured } from './chart-series.ts'
import { ChartTable } from './chart-table.tsx'
import { useHiddenCodes } from './hidden-codes.ts'
import styles from './scans-chart.module.css'

const OTHER_COLOUR = '#948a7d'

/** The stacked bars, the codes that they stand for, and the same numbers as a table. */
export default function ScansChart({ chart }: { chart: Chart }) {
  const hidden = useHiddenCodes()
  const { series, total } = chart
  const coloured = useMemo<Coloured[]>(
    () => series.map((each, index) => ({ ...each, color: colourOf(each, index) })),
    [series],
  )
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
      <ChartTable days={chart.days} series={shown} />
    </>
  )
}

function colourOf({ key }: ChartSeries, index: number): string {
  return key === 'other' ? OTHER_COLOUR : (mosaic[index % mosaic.length] ?? OTHER_COLOUR)
}
