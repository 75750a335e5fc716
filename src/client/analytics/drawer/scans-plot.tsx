import { Group } from '@mantine/core'
import { type CSSProperties, memo, useMemo } from 'react'
import type { Range } from '#contract/analytics/figure-values.ts'
import type { Figures } from '#contract/analytics/figures.ts'
import { choicesOf, counted, formatCount } from '../../formats.ts'
import { AsTable } from '../chart/as-table.tsx'
import { axisTo } from '../chart/chart-series.ts'
import { barsPath, linePath, mostOf, onScreen, PITCH, type Points } from '../chart/drawing.ts'
import { type Held, Plot, PlotTooltip, TooltipRow } from '../chart/plot.tsx'
import chart from '../chart/scans-chart.module.css'
import { Card } from './card.tsx'
import { keptLine } from './download/kept-cards.ts'
import { daysIn, hasBefore, isOver } from './figures.ts'
import styles from './scans-plot.module.css'
import { Choice } from './view/choice.tsx'
import { changeView, type Form, type Kind, stepsFor, type View } from './view/view.ts'
import {
  beforeTitle,
  lineText,
  nounOf,
  pointText,
  stepNames,
  ticksOf,
  titleOf,
  whenText,
} from './words.ts'

const SCANS = 'var(--scans)'
const VISITORS = 'var(--visitors)'
const BEFORE = 'var(--before)'

const forms = choicesOf(['bars', 'line'])

type Props = { figures: Figures; view: View }

/** Scans over time, the visitors among them, and the period before as a fainter line. */
export function ScansOverTime({ figures: { points, range, before }, view }: Props) {
  const { by } = range
  const { kind, form } = view
  const axis = useMemo(() => axisTo(mostOf(points)), [points])
  const ticks = useMemo(() => ticksOf(points, by), [points, by])
  const noun = nounOf(kind)
  const title = titleOf(kind)
  const former = beforeTitle(view.range)
  const caption = `${title} by ${by} ${whenText(view)}`
  const steps = stepsFor(view.range, daysIn(range))
  const kept = keptLine({ points, by, kind, form, before: former })
  const valueText = (index: number) => {
    const point = points[index]
    return point ? `${pointText(point.at, by)}: ${counted(point.scans, noun)}` : ''
  }
  const tooltip = (index: number, held: Held) => {
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
          <TooltipRow color={VISITORS} name="Visitors" count={formatCount(point.visitors)} />
        )}
        {point.before !== null && (
          <TooltipRow color={BEFORE} name={former} count={formatCount(point.before)} />
        )}
      </PlotTooltip>
    )
  }
  return (
    <Card
      title={`${title} over time`}
      definition={lineText(view, { by, hasBefore: before !== null, isOver: isOver(range) })}
      tools={
        steps.length > 1 && (
          <Choice
            label="By"
            options={steps.map((value) => ({ value, label: stepNames[value] }))}
            value={by}
            onChange={(value) => changeView({ by: value })}
          />
        )
      }
      kept={kept}
    >
      <Group justify="space-between" gap="8px 16px" mb={16}>
        <Keys kind={kind} range={view.range} points={points} />
        <Choice
          label="Draw as"
          options={forms}
          value={form}
          onChange={(chosen) => changeView({ form: chosen })}
        />
      </Group>
      <figure className={styles.figure} aria-label={caption}>
        <Plot
          axis={axis}
          ticks={ticks}
          valueText={valueText}
          count={points.length}
          label={stepNames[by]}
          tooltip={tooltip}
        >
          <Drawing points={points} form={form} top={axis.at(-1) ?? 1} />
        </Plot>
      </figure>
      <AsTable
        label={`${title} over time as a table`}
        table={() => ({
          caption,
          head: kept.table.head,
          rows: points
            .toReversed()
            .map((point) => [
              pointText(point.at, by),
              point.scans,
              ...(kind === 'people' ? [point.visitors ?? '–'] : []),
              ...(hasBefore(points) ? [point.before ?? '–'] : []),
            ]),
        })}
      />
    </Card>
  )
}

type KeysProps = { kind: Kind; range: Range; points: Points }

/** The names of the drawing's colours. */
export function Keys({ kind, range, points }: KeysProps) {
  return (
    <ul className={styles.keys}>
      <Key color={SCANS}>{titleOf(kind)}</Key>
      {kind === 'people' && <Key color={VISITORS}>Visitors</Key>}
      {hasBefore(points) && (
        <Key color={BEFORE} isLine>
          {beforeTitle(range)}
        </Key>
      )}
    </ul>
  )
}

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
      className={chart.drawing}
      viewBox={`0 0 ${points.length * PITCH} ${top}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {form === 'bars' ? (
        <>
          <path fill={SCANS} d={barsPath(scans, frame, visitors)} />
          <path fill={VISITORS} d={barsPath(visitors, frame)} />
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
