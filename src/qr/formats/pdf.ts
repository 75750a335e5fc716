import type { Appearance } from '../symbol/look.ts'
import { fullSize, type Matrix, QUIET_ZONE } from '../symbol/matrix.ts'
import type { Deflate } from './bytes.ts'
import { outline } from './outline.ts'
import { fill, number, onePage, PdfFile, POINTS_PER_MM, pathOf } from './pdf-syntax.ts'

export interface PdfOptions extends Appearance {
  /** Edge of the page in millimetres, quiet zone included */
  readonly printSize: number
  readonly deflate: Deflate
}

/**
 * The symbol as a PDF of one page that is just as large as the print: two filled paths, no font, no
 * picture. Clauses are those of ISO 32000-1.
 *
 * @throws NotAColour if a color is not hexadecimal
 */
export async function pdf(matrix: Matrix, options: PdfOptions): Promise<Uint8Array> {
  const edge = number(options.printSize * POINTS_PER_MM)
  const drawing = await options.deflate(new TextEncoder().encode(symbolContent(matrix, options)))
  return onePage(new PdfFile(), { size: `${edge} ${edge}`, resources: '<<>>', drawing })
}

/**
 * The operators that draw a symbol with its quiet zone from the origin to the right and up. §8.3.4: one
 * unit is a module, and y runs down as in the matrix.
 */
export function symbolContent(matrix: Matrix, options: Omit<PdfOptions, 'deflate'>): string {
  const edge = fullSize(matrix)
  const scale = (options.printSize * POINTS_PER_MM) / edge
  const top = number(scale * (edge - QUIET_ZONE))
  const left = number(scale * QUIET_ZONE)
  return [
    fill(options.background),
    `0 0 ${number(scale * edge)} ${number(scale * edge)} re f`,
    `${number(scale)} 0 0 ${number(-scale)} ${left} ${top} cm`,
    fill(options.foreground),
    ...outline(matrix, options.style).map(pathOf),
    'f',
  ].join('\n')
}
