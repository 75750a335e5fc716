import type { Appearance } from '../symbol/look.ts'
import { fullSize, type Matrix, QUIET_ZONE } from '../symbol/matrix.ts'
import { concat, type Deflate } from './bytes.ts'
import { parseColour } from './colour.ts'
import { type Contour, outline, stroke } from './outline.ts'

export interface PdfOptions extends Appearance {
  /** Edge of the page in millimetres, quiet zone included */
  readonly printSize: number
  readonly deflate: Deflate
}

const POINTS_PER_MM = 72 / 25.4
/** Handles of the Bézier curve nearest to a quarter circle: off by less than 0.03 % of its radius. */
const KAPPA = 0.5523

/**
 * The symbol as a PDF of one page that is just as large as the print: two filled paths, no font, no
 * picture. Clauses are those of ISO 32000-1.
 *
 * @throws NotAColour where a colour is not hexadecimal
 */
export async function pdf(matrix: Matrix, options: PdfOptions): Promise<Uint8Array> {
  const edge = number(options.printSize * POINTS_PER_MM)
  const content = await options.deflate(new TextEncoder().encode(pageContent(matrix, options)))
  return file([
    ['<</Type/Catalog/Pages 2 0 R>>'],
    ['<</Type/Pages/Kids[3 0 R]/Count 1>>'],
    [`<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${edge} ${edge}]/Resources<<>>/Contents 4 0 R>>`],
    [`<</Filter/FlateDecode/Length ${content.length}>>\nstream\n`, content, '\nendstream'],
  ])
}

/** §8.3.4: one unit is a module, and y runs down from the page's top as in the matrix. */
function pageContent(matrix: Matrix, options: PdfOptions): string {
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

/** §8.6.4.3: DeviceRGB. */
function fill(colour: string): string {
  return `${parseColour(colour)
    .map((channel) => number(channel / 255))
    .join(' ')} rg`
}

/** §8.5.2 */
function pathOf(contour: Contour): string {
  const operators: string[] = []
  let [atX, atY] = [0, 0]
  const to = (x: number, y: number) => {
    ;[atX, atY] = [x, y]
    return `${number(x)} ${number(y)}`
  }
  stroke(contour, {
    move: (x, y) => operators.push(`${to(x, y)} m`),
    line: (x, y) => operators.push(`${to(x, y)} l`),
    arc: (x, y, corner) => {
      const handle = (from: number, tangent: number) => number(from + KAPPA * (tangent - from))
      const first = `${handle(atX, corner.x)} ${handle(atY, corner.y)}`
      const second = `${handle(x, corner.x)} ${handle(y, corner.y)}`
      operators.push(`${first} ${second} ${to(x, y)} c`)
    },
    close: () => operators.push('h'),
  })
  return operators.join('\n')
}

/** §7.3.3: no exponents; five digits are far below what any printer resolves. */
function number(value: number): string {
  return String(Number(value.toFixed(5)))
}

/** §7.5: header, objects, cross-reference table with the byte offset of each object, trailer. */
function file(objects: (string | Uint8Array)[][]): Uint8Array {
  const parts: Uint8Array[] = []
  let length = 0
  const write = (part: string | Uint8Array) => {
    const bytes = typeof part === 'string' ? latin1(part) : part
    parts.push(bytes)
    length += bytes.length
  }
  const offsets: number[] = []
  // §7.5.2: four bytes above 127 tell transfer programs that the file is binary.
  write('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n')
  objects.forEach((body, index) => {
    offsets.push(length)
    write(`${index + 1} 0 obj\n`)
    body.forEach(write)
    write('\nendobj\n')
  })
  const table = length
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  const count = objects.length + 1
  write(`xref\n0 ${count}\n0000000000 65535 f \n${entries.join('')}`)
  write(`trailer\n<</Size ${count}/Root 1 0 R>>\nstartxref\n${table}\n%%EOF\n`)
  return concat(parts)
}

function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}
