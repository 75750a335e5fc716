import type { Figures } from '#contract/analytics/figures.ts'

/** A place and the space around it, in the drawing's own units. */
export const PITCH = 10
const BAR = 7

export type Points = Figures['points']

/** The largest value that the drawing shows. */
export const mostOf = (points: Points) =>
  Math.max(0, ...points.map(({ scans, before }) => Math.max(scans, before ?? 0)))

/** Bars from one height to another, from below: `top` is the height of the drawing. */
export function barsPath(values: readonly { from: number; to: number }[], top: number): string {
  return values
    .map(({ from, to }, index) => {
      if (to <= from) return ''
      const left = index * PITCH + (PITCH - BAR) / 2
      return `M${left} ${top - from}v${from - to}h${BAR}v${to - from}z`
    })
    .join('')
}

/** A line through the middle of each place; where nothing is known it is broken. */
export function linePath(values: readonly (number | null)[], top: number): string {
  return values
    .map((value, index) => {
      if (value === null) return ''
      const isFirst = index === 0 || values[index - 1] === null
      return `${isFirst ? 'M' : 'L'}${(index + 0.5) * PITCH} ${top - value}`
    })
    .join('')
}
