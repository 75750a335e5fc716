import { deviceSpaces, type InkSpace, inkOf } from '../formats/ink.ts'
import { number } from '../formats/pdf-syntax.ts'
import type { GradientPaint } from './layers.ts'

/**
 * A gradient as PDF and PostScript both write it (ISO 32000-1 §8.7.4.5): between two colors by a
 * function of type 2, and as they are beyond both ends.
 */
export function shadingOf(colour: string, gradient: GradientPaint, space: InkSpace): string {
  const [from, to] = [colour, gradient.to].map((end) => inkOf(end, space).map(number).join(' '))
  const place =
    gradient.kind === 'linear'
      ? [gradient.x1, gradient.y1, gradient.x2, gradient.y2]
      : [gradient.x, gradient.y, 0, gradient.x, gradient.y, gradient.radius]
  const type = gradient.kind === 'linear' ? 2 : 3
  const steps = `/Function<</FunctionType 2/Domain[0 1]/C0[${from}]/C1[${to}]/N 1>>`
  return `<</ShadingType ${type}/ColorSpace/${deviceSpaces[space]}/Coords[${place.map(number).join(' ')}]${steps}/Extend[true true]>>`
}
