import type { Figures } from '#contract/analytics/figures.ts'

/* Bars and lines as the data of a path, for the screen, for the report and for files. */

/** A place of the axis below, and what stands there. */
export type Tick = { index: number; text: string }

/** Words below one of `stride` times, counted from the newest. */
export const ticksEach = (
  stride: number,
  times: readonly string[],
  short: (at: string) => string,
) =>
  times
    .map((at, index): Tick => ({ index, text: short(at) }))
    .filter(({ index }) => (times.length - 1 - index) % stride === 0)

/** The places of a chart from left to right: their width, and the height of the largest value. */
export type Frame = { pitch: number; height: number; most: number; left?: number; top?: number }

/** A bar's part of its place; the rest is the space around it. */
const BAR = 0.7

/** A place of a drawing on the screen, in units that are as wide as the page makes them. */
export const PITCH = 10

/** The frame of a drawing on the screen, whose units of height are scans. */
export const onScreen = (most: number): Frame => ({ pitch: PITCH, height: most, most })

export type Points = Figures['points']

/** The largest value that the drawing shows. */
export const mostOf = (points: Points) =>
  Math.max(0, ...points.map(({ scans, before }) => Math.max(scans, before ?? 0)))

type Values = readonly (number | null)[]

/** Bars of these heights, from zero or from the heights of the bars below them. */
export function barsPath(values: Values, frame: Frame, below: Values = [], bar = BAR): string {
  const { pitch } = frame
  return values
    .map((value, index) => {
      const [from, to] = [below[index] ?? 0, value ?? 0]
      if (to <= from) return ''
      const left = xOf(index, frame) - (bar * pitch) / 2
      const high = yOf(from, frame) - yOf(to, frame)
      const width = bar * pitch
      return `M${short(left)} ${short(yOf(to, frame))}h${short(width)}v${short(high)}h${short(-width)}z`
    })
    .join('')
}

/** A line through the middle of each place. A missing value breaks it; a single value is a dot. */
export function linePath(values: Values, frame: Frame): string {
  const isKnown = (index: number) => (values[index] ?? null) !== null
  return values
    .map((value, index) => {
      if (value === null) return ''
      const place = `${short(xOf(index, frame))} ${short(yOf(value, frame))}`
      if (isKnown(index - 1)) return `L${place}`
      return isKnown(index + 1) ? `M${place}` : `M${place}h0.1`
    })
    .join('')
}

/** The middle of a place. */
export const xOf = (index: number, { pitch, left = 0 }: Frame) => left + (index + 0.5) * pitch

/** The height of a value, from the top. */
export const yOf = (value: number, { height, most, top = 0 }: Frame) =>
  top + height * (1 - value / most)

/** A number of a drawing: a hundredth of a pixel is enough. */
export const short = (value: number) => String(Math.round(100 * value) / 100)
