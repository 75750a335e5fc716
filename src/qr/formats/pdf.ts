import type { Appearance } from '../symbol/look.ts'
import { fullSize, type Matrix, QUIET_ZONE } from '../symbol/matrix.ts'
import { concat, type Deflate } from './bytes.ts'
import { outline } from './outline.ts'
import { fill, number, PdfFile, POINTS_PER_MM, pathOf } from './pdf-syntax.ts'

export interface PdfOptions extends Appearance {
  /** Edge of the page in millimetres, quiet zone included */
  readonly printSize: number
  readonly deflate: Deflate
}

/**
 * The symbol as a PDF of one page that is just as large as the print: two filled paths, no font, no
 * picture. Clauses are those of ISO 32000-1.
 *
 * @throws NotAColour where a colour is not hexadecimal
 */
export async function pdf(matrix: Matrix, options: PdfOptions): Promise<Uint8Array> {
  const edge = number(options.printSize * POINTS_PER_MM)
  const content = await options.deflate(new TextEncoder().encode(symbolContent(matrix, options)))
  const file = new PdfFile()
  const [root, pages, page, drawing] = [1, 2, 3, 4].map(() => file.reserve()) as Numbers
  return concat([
    ...file.begin(),
    ...file.object(root, `<</Type/Catalog/Pages ${pages} 0 R>>`),
    ...file.object(pages, `<</Type/Pages/Kids[${page} 0 R]/Count 1>>`),
    ...file.object(
      page,
      `<</Type/Page/Parent ${pages} 0 R/MediaBox[0 0 ${edge} ${edge}]/Resources<<>>/Contents ${drawing} 0 R>>`,
    ),
    ...file.stream(drawing, '', content),
    ...file.end(root),
  ])
}

type Numbers = [number, number, number, number]

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
