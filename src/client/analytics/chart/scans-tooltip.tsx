import { localDay } from '../../dates.ts'
import { counted } from '../../ui/formats.ts'
import { type Chart, type Coloured, codesOf, totalOf } from './chart-series.ts'
import { type Held, PlotTooltip, TooltipRow } from './plot.tsx'

type Props = Held & {
  chart: Chart
  /** Its place among the chart's days. */
  day: number
  series: Coloured[]
}

/** More rows than this stand in two columns where there is room. */
const COLUMN_MAX = 9

/** The day and all its scans, and below them the scans of each code that had some. */
export function ScansTooltip({ chart, day: index, series, ...held }: Props) {
  const day = chart.days[index]
  if (!day) return null
  const codes = codesOf(chart, index, series)
  return (
    <PlotTooltip
      {...held}
      index={index}
      count={chart.days.length}
      isMany={codes.length > COLUMN_MAX}
      head={localDay(day.date)}
      total={counted(totalOf(day, series), 'scan')}
    >
      {codes.map(({ label, scans, series: { color, key } }) => (
        <TooltipRow
          key={`${key} ${label}`}
          color={color}
          name={label}
          count={counted(scans, 'scan')}
        />
      ))}
    </PlotTooltip>
  )
}
