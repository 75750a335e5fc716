import { Box, Group } from '@mantine/core'
import { memo } from 'react'
import type { Range } from '#contract/analytics/figure-values.ts'
import type { Figures } from '#contract/analytics/figures.ts'
import { choicesOf, counted, formatCount } from '../../formats.ts'
import { AsTable } from '../chart/as-table.tsx'
import { barsPath, linePath, mostOf, onScreen, PITCH, type Points } from '../chart/drawing.ts'
import { Canvas, Plot } from '../chart/plot.tsx'
import { Card } from './card.tsx'
import { keptLine } from './download/kept-cards.ts'
import styles from './figures.module.css'
import { type CodeChange, daysIn, hasBefore, isOver, marksOf } from './figures.ts'
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

type Props = {
  figures: Figures
  view: View
  changes?: readonly CodeChange[]
}

/** Scans over time, the visitors among them, and the period before as a fainter line. */
export function ScansOverTime({ figures, view, changes = [] }: Props) {
  const { points, range, before } = figures
  const { by } = range
  const { kind, form } = view
  const noun = nounOf(kind)
  const title = titleOf(kind)
  const former = beforeTitle(view.range)
  const caption = `${title} by ${by} ${whenText(view)}`
  const steps = stepsFor(view.range, daysIn(range))
  const kept = keptLine({ points, by, kind, form, before: former })
  const marks = marksOf(points, range, changes)
  const read = (index: number) => {
    const point = points[index]
    if (!point) return undefined
    const rows = [
      { color: VISITORS, name: 'Visitors', scans: point.visitors },
      { color: BEFORE, name: former, scans: point.before },
    ]
    return {
      head: pointText(point.at, by),
      total: [counted(point.scans, noun), marks[index]].filter(Boolean).join(' · '),
      rows: () =>
        rows.flatMap(({ scans, ...row }) =>
          scans === null ? [] : [{ ...row, key: row.name, count: formatCount(scans) }],
        ),
    }
  }
  return (
    <Card
      title={`${title} over time`}
      definition={lineText(view, {
        by,
        hasBefore: before !== null,
        hasMarks: marks.some(Boolean),
        isOver: isOver(range),
      })}
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
      <Box component="figure" h={240} m="0 0 8px" aria-label={caption}>
        <Plot
          count={points.length}
          most={mostOf(points)}
          ticks={ticksOf(points, by)}
          label={stepNames[by]}
          read={read}
        >
          {(top) => <Drawing points={points} form={form} top={top} marks={marks} />}
        </Plot>
      </Box>
      <AsTable
        label={`${title} over time as a table`}
        table={() => ({
          caption,
          head: kept.table.head,
          rows: points
            .toReversed()
            .map((point) => [
              [pointText(point.at, by), marks[points.indexOf(point)]].filter(Boolean).join(' · '),
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
    <Group component="ul" gap="4px 16px" c="dimmed" className={styles.keys}>
      <Key color={SCANS}>{titleOf(kind)}</Key>
      {kind === 'people' && <Key color={VISITORS}>Visitors</Key>}
      {hasBefore(points) && (
        <Key color={BEFORE} isLine>
          {beforeTitle(range)}
        </Key>
      )}
    </Group>
  )
}

function Key({ color, isLine, children }: { color: string; isLine?: boolean; children: string }) {
  const look = isLine
    ? { width: 18, borderTop: `2px dashed ${color}` }
    : { width: 12, height: 12, borderRadius: 3, background: color }
  return (
    <Group component="li" gap={8} wrap="nowrap">
      <span style={{ flexShrink: 0, forcedColorAdjust: 'none', ...look }} aria-hidden />
      {children}
    </Group>
  )
}

type DrawingProps = { points: Points; form: Form; top: number; marks?: readonly string[] }

export const Drawing = memo(function Drawing({ points, form, top, marks = [] }: DrawingProps) {
  const scans = points.map((point) => point.scans)
  const visitors = points.map((point) => point.visitors)
  const before = points.map((point) => point.before)
  const frame = onScreen(top)
  return (
    <Canvas count={points.length} top={top}>
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
      <path className={styles.mark} d={marksPath(marks, top)} />
    </Canvas>
  )
})

/** An upright line before each step in which the code was changed: between two bars it shows. */
const marksPath = (marks: readonly string[], top: number) =>
  marks.map((words, index) => (words ? `M${index * PITCH} 0V${top}` : '')).join('')
