import { PAPER, QUIET, TEXT } from './colours.ts'
import { escapeXml, textAt, wrapped } from './svg-text.ts'

/** What a picture holds: drawn from 0 to `WIDTH` and from 0 to `height`. */
export type Body = { height: number; drawing: string }

/** What stands around it. */
export type Around = {
  title: string
  /** Whose figures, which days, which filters: a line each, or more. */
  said: readonly string[]
  /** How they are counted. */
  foot: readonly string[]
}

/** Of what is drawn, without the margins. */
export const WIDTH = 896
const MARGIN = 32
const LINES_MAX = 3

/** Fonts that are there wherever somebody opens the file. */
const FONTS = "Arial, Helvetica, 'Liberation Sans', 'Noto Sans', sans-serif"

/** A whole picture as SVG 1.1: it needs nothing from outside. */
export function pageOf({ title, said, foot }: Around, body: Body): string {
  let y = MARGIN
  const texts: string[] = []
  const write = (text: string, size: number, fill: string, bold = false) => {
    for (const line of wrapped(text, size, WIDTH, LINES_MAX)) {
      y += Math.round(1.4 * size)
      texts.push(textAt(0, y - 0.35 * size, line, { size, fill, bold }))
    }
  }
  write(title, 22, TEXT, true)
  for (const line of said) write(line, 15, TEXT)
  y += 20
  const top = y
  y += body.height + 16
  for (const line of foot) write(line, 12, QUIET)
  const [width, height] = [WIDTH + 2 * MARGIN, y + MARGIN]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONTS}">`,
    `<title>${escapeXml([title, ...said].join('. '))}</title>`,
    `<rect width="${width}" height="${height}" fill="${PAPER}"/>`,
    `<g transform="translate(${MARGIN} 0)">${texts.join('')}`,
    `<g transform="translate(0 ${top})">${body.drawing}</g></g>`,
    '</svg>',
    '',
  ].join('\n')
}
