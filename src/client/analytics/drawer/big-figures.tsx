import { Box, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Figures } from '#contract/analytics/figures.ts'
import { counted, formatCount, localHourSpan } from '../../formats.ts'
import type { Change } from '../difference.ts'
import { daysIn, isOver, pointsByDay } from './figures.ts'
import styles from './panel.module.css'
import { type Asked, useFigures, useHeatmap } from './queries.ts'
import { DAYS_MAX } from './view/view.ts'
import { bestDay, busiest, changeOf, comparedText, nounOf, titleOf } from './words.ts'

type Props = Asked & { figures: Figures }

/** The four figures that people come for, each with how it is counted. */
export function BigFigures({ figures, ...asked }: Props) {
  const { range, kind } = asked.view
  const isPeople = kind === 'people'
  const { scans, visitors, before } = figures
  const compared = before ? comparedText(range, isOver(figures.range)) : ''
  return (
    <dl className={styles.figures}>
      <Figure
        title={titleOf(kind)}
        value={formatCount(scans)}
        change={changeOf(scans, before?.scans, range)}
        definition={
          isPeople
            ? `Each time a person opened the link. Bots and link previews don’t count.${compared}`
            : `Opened by bots, link previews, and the like. They never count as scans.${compared}`
        }
      />
      {visitors !== null && (
        <Figure
          title="Visitors"
          value={formatCount(visitors)}
          change={changeOf(visitors, before?.visitors, range)}
          definition="Different devices, counted once per code per day (UTC)."
        />
      )}
      <BestDay figures={figures} {...asked} />
      <BestHour {...asked} />
    </dl>
  )
}

type FigureProps = {
  title: string
  value: ReactNode
  change?: Change | null
  note?: string | undefined
  definition: string
}

function Figure({ title, value, change, note, definition }: FigureProps) {
  return (
    <div className={styles.figure}>
      <Box component="dt" c="dimmed" fz="sm">
        {title}
      </Box>
      <dd className={styles.value}>{value}</dd>
      {change && (
        <dd className={styles.note}>
          <span aria-hidden>{change.short}</span>
          <VisuallyHidden>{change.words}</VisuallyHidden>
        </dd>
      )}
      {note && <dd className={styles.note}>{note}</dd>}
      <dd className={styles.definition}>{definition}</dd>
    </div>
  )
}

/** The points by the day are there, or are made of those by the hour, or are read. */
function BestDay({ figures, ...asked }: Props) {
  const { by } = figures.range
  const isAtHand = by === 'hour' || by === 'day'
  const isBound = daysIn(figures.range) <= DAYS_MAX
  const byDay = useFigures(
    { code: asked.code, view: { ...asked.view, by: 'day' } },
    { enabled: !isAtHand && isBound },
  )
  const points = isAtHand ? pointsByDay(figures.points) : byDay.data?.points
  const best = points && bestDay(points)
  if (asked.view.range === '24h' || (!isAtHand && !isBound)) return null
  return (
    <Figure
      title="Best day"
      value={best?.name ?? '–'}
      note={best ? counted(best.scans, nounOf(asked.view.kind)) : ' '}
      definition="Your busiest day, in your time zone."
    />
  )
}

function BestHour(asked: Asked) {
  const { data } = useHeatmap(asked, { enabled: true })
  const best = data && busiest(data)
  return (
    <Figure
      title="Best hour"
      value={best ? localHourSpan(best.hour) : '–'}
      note={best ? counted(best.inHour, nounOf(asked.view.kind)) : ' '}
      definition="Your busiest hour, all days together."
    />
  )
}
