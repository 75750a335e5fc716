import type { CSSProperties } from 'react'
import type { Figures } from '#contract/analytics/figures.ts'
import { DAY_MS } from '#contract/time.ts'
import { browserZone, momentIn } from '../../formats.ts'

/* Reckonings with figures. */

/** The days of a range, begun ones counted whole. */
export const daysIn = ({ from, to }: Pick<Figures['range'], 'from' | 'to'>): number =>
  Math.ceil((Date.parse(to) - Date.parse(from)) / DAY_MS)

/** Whether nothing more can come into a range. */
export const isOver = ({ to }: Pick<Figures['range'], 'to'>): boolean =>
  Date.parse(to) <= Date.now()

/** Points by the hour added up to days; points by the day as they are. */
export function pointsByDay(points: Figures['points']): Figures['points'] {
  const days = new Map<string, Figures['points'][number]>()
  for (const point of points) {
    const at = point.at.slice(0, 10)
    const day = days.get(at)
    days.set(at, day ? { ...day, scans: day.scans + point.scans } : { ...point, at })
  }
  return [...days.values()]
}

/** Whether points have values of the period before. */
export const hasBefore = (points: Figures['points']): boolean =>
  points.some(({ before }) => before !== null)

/** A change of the code at an instant in ISO 8601, in words */
export type CodeChange = { at: string; words: string }

/** The changes in each step of a line, in words; empty for most. */
export function marksOf(
  points: readonly { at: string }[],
  { to, snapped }: Pick<Figures['range'], 'to' | 'snapped'>,
  changes: readonly CodeChange[],
  zone = browserZone() ?? 'UTC',
): string[] {
  const within = changes
    .filter(({ at }) => Date.parse(at) < Date.parse(to))
    .map(({ at, words }) => ({ at: momentIn(snapped ? 'UTC' : zone, at), words }))
  return points.map(({ at }, index) => {
    const next = points[index + 1]?.at
    const own = within.filter((change) => change.at >= at && (!next || change.at < next))
    return [...new Set(own.map(({ words }) => words))].join(', ')
  })
}

/** Shades of the heat map and of the world's map: 0 is nothing, the most is the darkest. */
export const SHADES = 5

/** The shade of a value among the largest. The root makes small values differ. */
export function shadeOf(value: number, most: number): number {
  if (value <= 0 || most <= 0) return 0
  return Math.max(1, Math.ceil(SHADES * Math.sqrt(value / most)))
}

/** The same as a style, for parts that are drawn with `--shade`. */
export const shadeStyle = (value: number, most: number) =>
  ({ '--shade': `var(--shade-${shadeOf(value, most)})` }) as CSSProperties
