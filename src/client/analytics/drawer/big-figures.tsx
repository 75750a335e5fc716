import { Box, type BoxProps, SimpleGrid, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Figures, Heatmap } from '#contract/analytics/figures.ts'
import { counted, formatCount, localHourSpan } from '../../formats.ts'
import type { Points } from '../chart/drawing.ts'
import type { Change } from '../month-change.ts'
import { daysIn, isOver, pointsByDay } from './figures.ts'
import styles from './panel.module.css'
import { type Asked, useFigures, useHeatmap } from './queries.ts'
import { DAYS_MAX, type View } from './view/view.ts'
import { bestDay, busiest, changeOf, comparedText, nounOf, titleOf } from './words.ts'

type BigFigure = {
  title: string
  /** Null while it is read, and if there is none. */
  value: string | null
  change?: Change | null
  note?: string
  definition: string
}

type Known = {
  figures: Figures
  view: View
  /** The points by the day: undefined while they are read, null if there are none. */
  days: Points | undefined | null
  heatmap: Heatmap | undefined
}

/** The four figures that people come for, each with how it is counted. */
export function bigFiguresOf({ figures, view, days, heatmap }: Known): BigFigure[] {
  const { range, kind } = view
  const { scans, visitors, before } = figures
  const compared = before ? comparedText(range, isOver(figures.range)) : ''
  const day = days && bestDay(days)
  const hour = heatmap && busiest(heatmap)
  const all: (BigFigure | null)[] = [
    {
      title: titleOf(kind),
      value: formatCount(scans),
      change: changeOf(scans, before?.scans, range),
      definition:
        kind === 'people'
          ? `Each time a person opened the link. Bots and link previews don’t count.${compared}`
          : `Opened by bots, link previews, and the like. They never count as scans.${compared}`,
    },
    visitors === null
      ? null
      : {
          title: 'Visitors',
          value: formatCount(visitors),
          change: changeOf(visitors, before?.visitors, range),
          definition: 'Different devices, counted once per code per day (UTC).',
        },
    range === '24h' || days === null
      ? null
      : {
          title: 'Best day',
          value: day?.name ?? null,
          note: day ? counted(day.scans, nounOf(kind)) : ' ',
          definition: 'Your busiest day, in your time zone.',
        },
    {
      title: 'Best hour',
      value: hour ? localHourSpan(hour.hour) : null,
      note: hour ? counted(hour.inHour, nounOf(kind)) : ' ',
      definition: 'Your busiest hour, all days together.',
    },
  ]
  return all.filter((figure) => figure !== null)
}

/** The points by the day, if the figures have them or make them; else null. */
export const daysAtHand = ({ range, points }: Figures): Points | null =>
  range.by === 'hour' || range.by === 'day' ? pointsByDay(points) : null

type Props = Asked & { figures: Figures }

export function BigFigures({ figures, ...asked }: Props) {
  const { code, view } = asked
  const atHand = daysAtHand(figures)
  const isRead = atHand === null && daysIn(figures.range) <= DAYS_MAX
  const byDay = useFigures({ code, view: { ...view, by: 'day' } }, { enabled: isRead })
  const { data: heatmap } = useHeatmap(asked, { enabled: true })
  const days = isRead ? byDay.data?.points : atHand
  return (
    <SimpleGrid component="dl" {...FIGURE_GRID}>
      {bigFiguresOf({ figures, view, days, heatmap }).map((figure) => (
        <Figure key={figure.title} {...figure} />
      ))}
    </SimpleGrid>
  )
}

/** As many figures side by side as have room. */
export const FIGURE_GRID = { minColWidth: 150, autoFlow: 'auto-fit', spacing: 12 } as const

/** The value of a figure. */
export const Value = (props: BoxProps & { children: ReactNode }) => (
  <Box
    component="dd"
    ff="var(--font-display)"
    fw={700}
    lh={1.25}
    style={{ fontVariantNumeric: 'tabular-nums' }}
    {...props}
  />
)

function Figure({ title, value, change, note, definition }: BigFigure) {
  return (
    <div className={styles.box}>
      <Box component="dt" c="dimmed" fz="sm">
        {title}
      </Box>
      <Value mt={2} fz="clamp(1.15rem, 0.9rem + 1.4cqi, 1.6rem)">
        {value ?? '–'}
      </Value>
      {(change || note) && (
        <Box component="dd" mt={2} fz="sm">
          <span aria-hidden={change ? true : undefined}>{change?.short ?? note}</span>
          {change && <VisuallyHidden>{change.words}</VisuallyHidden>}
        </Box>
      )}
      <dd className={styles.definition}>{definition}</dd>
    </div>
  )
}
