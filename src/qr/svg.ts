import { normalColour } from './colour.ts'
import { fullSize, type Matrix, QUIET_ZONE } from './matrix.ts'
import { type Contour, type Corner, outline } from './outline.ts'
import type { Style } from './style.ts'

export interface SvgOptions {
  readonly style: Style
  /** #rgb or #rrggbb */
  readonly foreground: string
  /** #rgb or #rrggbb; covers the quiet zone too */
  readonly background: string
  /** Edge of the picture in CSS pixels */
  readonly size: number
}

/**
 * The symbol as an SVG document: one path a colour in module units, nothing that a printer's or
 * cutter's software might not read (no clip, mask, style sheet, script).
 *
 * @throws NotAColour where a colour is not hexadecimal: nothing else reaches the markup
 */
export function svg(matrix: Matrix, { style, foreground, background, size }: SvgOptions): string {
  const edge = fullSize(matrix)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${Number(size)}" height="${Number(size)}" viewBox="0 0 ${edge} ${edge}">`,
    `<path fill="${normalColour(background)}" d="M0 0h${edge}v${edge}H0z"/>`,
    `<path fill="${normalColour(foreground)}" d="${pathData(outline(matrix, style))}"/>`,
    '</svg>\n',
  ].join('')
}

/** Path data in modules from the picture's top left, quiet zone included. */
function pathData(contours: Contour[]): string {
  return contours.map(contourData).join('')
}

function contourData(contour: Contour): string {
  const last = contour[contour.length - 1] as Corner
  let data = ''
  let previous = last
  contour.forEach((corner, index) => {
    const next = contour[(index + 1) % contour.length] as Corner
    if (index === 0) data += startOf(last, corner)
    data += line(previous, corner) + arc(previous, corner, next)
    previous = corner
  })
  return `${data}z`
}

/** The contour begins behind the last corner's arc, on the edge that leads to the first corner. */
function startOf(last: Corner, first: Corner): string {
  const x = last.x + Math.sign(first.x - last.x) * last.radius + QUIET_ZONE
  const y = last.y + Math.sign(first.y - last.y) * last.radius + QUIET_ZONE
  return `M${numbers(x, y)}`
}

/** The straight part of an edge, between the arcs at its ends. */
function line(from: Corner, to: Corner): string {
  const trim = from.radius + to.radius
  const dx = to.x - from.x
  const dy = to.y - from.y
  if (Math.abs(dx + dy) === trim) return ''
  return dx ? `h${numbers(dx - Math.sign(dx) * trim)}` : `v${numbers(dy - Math.sign(dy) * trim)}`
}

function arc(before: Corner, { x, y, radius }: Corner, after: Corner): string {
  if (radius === 0) return ''
  const [inX, inY] = [Math.sign(x - before.x), Math.sign(y - before.y)]
  const [outX, outY] = [Math.sign(after.x - x), Math.sign(after.y - y)]
  const sweep = inX * outY - inY * outX > 0 ? 1 : 0
  return `a${numbers(radius, radius)} 0 0 ${sweep} ${numbers((inX + outX) * radius, (inY + outY) * radius)}`
}

/** The shortest spelling path data allows: ` ` only where neither a minus nor a second point parts. */
function numbers(...values: number[]): string {
  return values
    .map((value) => String(value).replace(/^(-?)0\./, '$1.'))
    .reduce((text, next) => {
      const parted = next.startsWith('-') || (next.startsWith('.') && /\.\d+$/.test(text))
      return parted ? text + next : `${text} ${next}`
    })
}
