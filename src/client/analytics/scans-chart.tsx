import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { counted } from '../ui/formats.ts'
import { mosaic } from '../ui/palette.ts'
import type { Chart, ChartSeries } from './chart-series.ts'
import styles from './scans-overview.module.css'
import { ScansTooltip } from './scans-tooltip.tsx'

const OTHER_COLOUR = '#948a7d'

const axisDay = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})

/** Days between two dates of the axis, counted from today: as many as fit on a phone. */
const TICK_DAYS = 7

export default function ScansChart({ days, series, total }: Chart) {
  const coloured = series.map((each, index) => ({ ...each, color: colourOf(each, index) }))
  return (
    <figure
      className={styles.drawing}
      aria-label={`${counted(total, 'scan')} in the last 30 days, most of ${series[0]?.label}`}
    >
      <BarChart
        h="100%"
        data={days}
        dataKey="date"
        type="stacked"
        series={coloured.map(({ key, label, color }) => ({ name: key, label, color }))}
        gridAxis="x"
        tickLine="none"
        maxBarWidth={28}
        xAxisProps={{
          tickFormatter: (date: string) => axisDay.format(new Date(date)),
          ticks: days
            .filter((_day, index) => (days.length - 1 - index) % TICK_DAYS === 0)
            .map(({ date }) => date),
        }}
        yAxisProps={{ allowDecimals: false, width: 40 }}
        tooltipAnimationDuration={0}
        tooltipProps={{
          content: ({ label, active }) =>
            active ? (
              <ScansTooltip day={days.find(({ date }) => date === label)} series={coloured} />
            ) : null,
        }}
        barProps={{ isAnimationActive: false }}
      />
    </figure>
  )
}

/** After ten series the colours repeat. */
function colourOf({ key }: ChartSeries, index: number): string {
  return key === 'other' ? OTHER_COLOUR : (mosaic[index % mosaic.length] ?? OTHER_COLOUR)
}
