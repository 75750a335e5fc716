import { formatCount } from '../../../../formats.ts'
import { axisTo } from '../../../chart/chart-series.ts'
import { barsPath, type Frame, linePath, mostOf, short, xOf, yOf } from '../../../chart/drawing.ts'
import { ticksOf } from '../../words.ts'
import type { Line } from '../kept.ts'
import {
  BEFORE,
  type Body,
  type Key,
  keys,
  LINE,
  QUIET,
  SCANS,
  textAt,
  VISITORS,
  WIDTH,
} from './svg.ts'

/** Room for the values beside the axis. */
const LEFT = 72
const TOP = 36
const HEIGHT = 300
const SIZE = 12

/** Scans over time, with the visitors among them and the period before. */
export function linePicture({ points, by, form, names }: Line): Body {
  const axis = axisTo(mostOf(points))
  const frame: Frame = {
    pitch: (WIDTH - LEFT) / Math.max(points.length, 1),
    height: HEIGHT,
    most: axis.at(-1) ?? 1,
    left: LEFT,
    top: TOP,
  }
  const line = (values: (number | null)[], stroke: string, more = '') =>
    `<path fill="none" stroke="${stroke}" stroke-width="2.5" stroke-linejoin="round"${more} d="${linePath(values, frame)}"/>`
  const bars = (values: (number | null)[], fill: string) =>
    `<path fill="${fill}" d="${barsPath(values, frame)}"/>`
  const scans = points.map((point) => point.scans)
  const visitors = points.map((point) => point.visitors)
  const before = points.map((point) => point.before)
  const draw = form === 'bars' ? bars : line
  const shown: Key[] = [
    { name: names.scans, colour: SCANS },
    ...(names.visitors === undefined ? [] : [{ name: names.visitors, colour: VISITORS }]),
    ...(names.before === undefined ? [] : [{ name: names.before, colour: BEFORE, isLine: true }]),
  ]
  const drawing = [
    keys(shown),
    ...axis.map((value) => axisLine(value, yOf(value, frame))),
    draw(scans, SCANS),
    names.visitors === undefined ? '' : draw(visitors, VISITORS),
    names.before === undefined ? '' : line(before, BEFORE, ' stroke-dasharray="5 4"'),
    ...ticksOf(points, by).map((tick) => tickText(xOf(tick.index, frame), tick.text)),
  ]
  return { height: TOP + HEIGHT + 28, drawing: drawing.join('') }
}

function axisLine(value: number, y: number): string {
  const look = { size: SIZE, fill: QUIET, anchor: 'end' } as const
  const text = textAt(LEFT - 10, y + 4, formatCount(value), look)
  return `<path d="M${LEFT} ${short(y)}H${WIDTH}" stroke="${LINE}"/>${text}`
}

/** Words at the edges stay within the picture. */
function tickText(x: number, text: string): string {
  const place = Math.min(x, WIDTH - 34)
  return textAt(place, TOP + HEIGHT + 20, text, { size: SIZE, fill: QUIET, anchor: 'middle' })
}
