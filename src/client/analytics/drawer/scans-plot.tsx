import { type CSSProperties, memo, useMemo } from 'react'
import type { Step } from '#contract/analytics/figure-values.ts'
import { counted, formatCount } from '../../ui/formats.ts'
import { AsTable, NumbersTable } from '../chart/as-table.tsx'
import { axisTo } from '../chart/chart-series.ts'
import { barsPath, linePath, mostOf, onScreen, PITCH, type Points } from '../chart/drawing.ts'
import { type Held, Plot, PlotTooltip, TooltipRow } from '../chart/plot.tsx'
import { Choice } from './asked/choice.tsx'
import type { Form, Kind, View } from './asked/view.ts'
import { changeView } from './asked/view-address.ts'
import styles from './scans-plot.module.css'
import { asTitle, nounOf, pointText, stepNames, ticksOf, titleOf } from './words.ts'

const SCANS = 'var(--scans)'
const VISITORS = 'var(--visitors)'
const BEFORE = 'var(--before)'

const forms = [
  { value: 'bars', label: 'Bars' },
  { value: 'line', label: 'Line' },
] as const

type Props = { points: Points; by: Step; view: View; when: string; before: string }

/** Scans over time, the visitors among them, and the period before as a fainter line. */
export function ScansPlot({ points, by, view: { kind, form }, when, before }: Props) {
  const axis = useMemo(() => axisTo(mostOf(points)), [points])
  const ticks = useMemo(() => ticksOf(points, by), [points, by])
  const noun = nounOf(kind)
  const hasBefore = points.some((point) => point.before !== null)
  const valueText = (index: number) => {
    const point = points[index]
    return point ? `${pointText(point.at, by)}: ${counted(point.scans, noun)}` : ''
  }
  const titles = {
    scans: titleOf(kind),
    visitors: 'Visitors',
    before: asTitle(before),
  }
  return (
    <>
      <div className={styles.head}>
        <Keys {...{ kind, before, hasBefore }} />
        <Choice
          label="Draw as"
          options={forms}
          value={form}
          onChange={(chosen) => changeView({ form: chosen })}
        />
      </div>
      <figure className={styles.figure} aria-label={`${titles.scans} by ${by} ${when}`}>
        <Plot
          {...{ axis, ticks, valueText }}
          count={points.length}
          label={stepNames[by]}
          tooltip={(index, held) => <Tooltip {...{ points, index, by, noun, titles, held }} />}
        >
          <Drawing {...{ points, form }} top={axis.at(-1) ?? 1} />
        </Plot>
      </figure>
      <AsTable label={`${titles.scans} over time as a table`}>
        <NumbersTable
          caption={`${titles.scans} by ${by} ${when}`}
          head={[
            stepNames[by],
            titles.scans,
            ...(kind === 'people' ? [titles.visitors] : []),
            ...(hasBefore ? [titles.before] : []),
          ]}
          rows={points.toReversed().map((point) => ({
            key: point.at,
            cells: [
              pointText(point.at, by),
              formatCount(point.scans),
              ...(kind === 'people' ? [numberText(point.visitors)] : []),
              ...(hasBefore ? [numberText(point.before)] : []),
            ],
          }))}
        />
      </AsTable>
    </>
  )
}

type KeysProps = { kind: Kind; before: string; hasBefore: boolean }

/** What the colours of the drawing stand for. */
export function Keys({ kind, before, hasBefore }: KeysProps) {
  return (
    <ul className={styles.keys}>
      <Key color={SCANS}>{titleOf(kind)}</Key>
      {kind === 'people' && <Key color={VISITORS}>Visitors</Key>}
      {hasBefore && (
        <Key color={BEFORE} isLine>
          {`T${before.slice(1)}`}
        </Key>
      )}
    </ul>
  )
}

const numberText = (value: number | null) => (value === null ? '–' : formatCount(value))

function Key({ color, isLine, children }: { color: string; isLine?: boolean; children: string }) {
  return (
    <li className={styles.key} data-line={isLine || undefined}>
      <span className={styles.swatch} style={{ '--colour': color } as CSSProperties} aria-hidden />
      {children}
    </li>
  )
}

type DrawingProps = { points: Points; form: Form; top: number }

export const Drawing = memo(function Drawing({ points, form, top }: DrawingProps) {
  const scans = points.map((point) => point.scans)
  const visitors = points.map((point) => point.visitors)
  const before = points.map((point) => point.before)
  const frame = onScreen(top)
  return (
    <svg
      className={styles.drawing}
      viewBox={`0 0 ${points.length * PITCH} ${top}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {form === 'bars' ? (
        <>
          <path
            fill={SCANS}
            d={barsPath(
              scans.map((to, index) => ({ from: visitors[index] ?? 0, to })),
              frame,
            )}
          />
          <path
            fill={VISITORS}
            d={barsPath(
              visitors.map((to) => ({ from: 0, to: to ?? 0 })),
              frame,
            )}
          />
        </>
      ) : (
        <>
          <path className={styles.line} stroke={VISITORS} d={linePath(visitors, frame)} />
          <path className={styles.line} stroke={SCANS} d={linePath(scans, frame)} />
        </>
      )}
      <path className={styles.before} stroke={BEFORE} d={linePath(before, frame)} />
    </svg>
  )
})

type TooltipProps = {
  points: Points
  index: number
  by: Step
  noun: string
  titles: { visitors: string; before: string }
  held: Held
}

function Tooltip({ points, index, by, noun, titles, held }: TooltipProps) {
  const point = points[index]
  if (!point) return null
  return (
    <PlotTooltip
      {...held}
      index={index}
      count={points.length}
      head={pointText(point.at, by)}
      total={counted(point.scans, noun)}
    >
      {point.visitors !== null && (
        <TooltipRow color={VISITORS} name={titles.visitors} count={formatCount(point.visitors)} />
      )}
      {point.before !== null && (
        <TooltipRow color={BEFORE} name={titles.before} count={formatCount(point.before)} />
      )}
    </PlotTooltip>
  )
}
