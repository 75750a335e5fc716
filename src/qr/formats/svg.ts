import type { Appearance } from '../symbol/look.ts'
import { normalColour } from '../symbol/look.ts'
import { fullSize, type Matrix, QUIET_ZONE } from '../symbol/matrix.ts'
import { type Contour, outline, type Pen, stroke } from './outline.ts'

export interface SvgOptions extends Appearance {
  /** Edge of the picture in CSS pixels, unless a size in print is given */
  readonly size: number
  /** Edge in print in millimetres */
  readonly printSize?: number | undefined
}

/**
 * The symbol as an SVG document: one path a color in module units, nothing that a printer's or
 * cutter's software might not read (no clip, mask, style sheet, script). SVG 1.1, §8.3.
 *
 * @throws NotAColour if a color is not hexadecimal: nothing else reaches the markup
 */
export function svg(matrix: Matrix, options: SvgOptions): string {
  const { style, foreground, background, size, printSize } = options
  const edge = fullSize(matrix)
  const length = printSize === undefined ? String(Number(size)) : `${Number(printSize)}mm`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${length}" height="${length}" viewBox="0 0 ${edge} ${edge}">`,
    `<path fill="${normalColour(background)}" d="M0 0h${edge}v${edge}H0z"/>`,
    `<path fill="${normalColour(foreground)}" d="${pathData(outline(matrix, style))}"/>`,
    '</svg>\n',
  ].join('')
}

/** Path data in modules from the picture's top left, quiet zone included. */
function pathData(contours: Contour[]): string {
  return drawnPath(
    contours.map((contour) => (pen) => stroke(contour, pen)),
    QUIET_ZONE,
    QUIET_ZONE,
  )
}

/** Path data of what pens draw, moved to the right and down (SVG 1.1, §8.3). */
export function drawnPath(
  figures: readonly ((pen: Pen) => void)[],
  right: number,
  down: number,
): string {
  let data = ''
  let [atX, atY] = [0, 0]
  const to = (x: number, y: number) => {
    const step = numbers(x - atX, y - atY)
    atX = x
    atY = y
    return step
  }
  const pen: Pen = {
    move(x, y) {
      data += `M${numbers(x + right, y + down)}`
      atX = x
      atY = y
    },
    line(x, y) {
      if (x === atX) data += `v${number(y - atY)}`
      else if (y === atY) data += `h${number(x - atX)}`
      else data += `l${numbers(x - atX, y - atY)}`
      atX = x
      atY = y
    },
    arc(x, y, { radius }, clockwise) {
      data += `a${numbers(radius, radius)} 0 0 ${clockwise ? 1 : 0} ${to(x, y)}`
    },
    curve(x1, y1, x2, y2, x, y) {
      const handles = `${numbers(x1 - atX, y1 - atY)} ${numbers(x2 - atX, y2 - atY)}`
      data += `c${handles} ${to(x, y)}`
    },
    close() {
      data += 'z'
    },
  }
  for (const figure of figures) figure(pen)
  return data
}

/** Two numbers, with a space only where neither a minus nor a second point separates them. */
function numbers(first: number, second: number): string {
  const [one, other] = [number(first), number(second)]
  const isSeparate = second < 0 || (other.startsWith('.') && one.includes('.'))
  return isSeparate ? one + other : `${one} ${other}`
}

/** The shortest form that path data allows. It is kept, since a symbol has few different lengths. */
function number(value: number): string {
  const known = shortest.get(value)
  if (known !== undefined) return known
  // A thousandth of a module is far below what any printer resolves.
  const text = String(Number(value.toFixed(3))).replace(/^(-?)0\./, '$1.')
  if (Number.isInteger(8 * value)) shortest.set(value, text)
  return text
}
/** Lengths in eighths of a module up to 185: never more than some thousand entries. */
const shortest = new Map<number, string>()
