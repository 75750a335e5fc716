import type { Figures } from '#contract/analytics/figures.ts'
import { DAY_MS } from '#contract/time.ts'

/** The days of a range, begun ones counted whole. */
export const daysIn = ({ from, to }: Pick<Figures['range'], 'from' | 'to'>): number =>
  Math.ceil((Date.parse(to) - Date.parse(from)) / DAY_MS)

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

/** Whether nothing more can come into a range. */
export const isOver = ({ to }: Pick<Figures['range'], 'to'>, now = Date.now()): boolean =>
  Date.parse(to) <= now
