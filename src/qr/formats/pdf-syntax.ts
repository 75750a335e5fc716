import type { GradientPaint } from '../artwork/layers.ts'
import { concat } from './bytes.ts'
import { deviceSpaces, type InkSpace, inkOf } from './colour.ts'
import { type Contour, type Pen, stroke } from './outline.ts'

/* The syntax of all our PDFs. Clauses are those of ISO 32000-1. */

export const POINTS_PER_MM = 72 / 25.4
/** Handles of the Bézier curve nearest to a quarter circle: off by less than 0.03 % of its radius. */
const KAPPA = 0.5523

/** §8.6.8: the color that paths are filled with. */
export function fill(colour: string, space: InkSpace = 'rgb'): string {
  return `${inkOf(colour, space).map(number).join(' ')} ${space === 'rgb' ? 'rg' : 'k'}`
}

/** §8.5.2 */
export function pathOf(contour: Contour): string {
  return pathBy((pen) => stroke(contour, pen))
}

/** The operators of a drawing. */
export function pathBy(draw: (pen: Pen) => void): string {
  const operators: string[] = []
  let [atX, atY] = [0, 0]
  const to = (x: number, y: number) => {
    ;[atX, atY] = [x, y]
    return `${number(x)} ${number(y)}`
  }
  draw({
    move: (x, y) => operators.push(`${to(x, y)} m`),
    line: (x, y) => operators.push(`${to(x, y)} l`),
    arc: (x, y, corner) => {
      const handle = (from: number, tangent: number) => number(from + KAPPA * (tangent - from))
      const first = `${handle(atX, corner.x)} ${handle(atY, corner.y)}`
      const second = `${handle(x, corner.x)} ${handle(y, corner.y)}`
      operators.push(`${first} ${second} ${to(x, y)} c`)
    },
    curve: (x1, y1, x2, y2, x, y) => {
      const handles = [x1, y1, x2, y2].map(number).join(' ')
      operators.push(`${handles} ${to(x, y)} c`)
    },
    close: () => operators.push('h'),
  })
  return operators.join('\n')
}

/** §7.3.3: no exponents; five digits are far below what any printer resolves. */
export function number(value: number): string {
  return String(Number(value.toFixed(5)))
}

/** §7.5.2: four bytes above 127 tell transfer programs that the file is binary. */
const HEADER = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n'

/**
 * §7.5: a file that is written object by object, in any order. The methods return the file's next
 * bytes, in the order of the calls.
 */
export class PdfFile {
  readonly #offsets: number[] = []
  #length = 0

  begin(): Uint8Array[] {
    return this.#write([HEADER])
  }

  /** A number for an object that is written later. */
  reserve(): number {
    return this.#offsets.push(0)
  }

  object(number: number, ...body: (string | Uint8Array)[]): Uint8Array[] {
    this.#offsets[number - 1] = this.#length
    return this.#write([`${number} 0 obj\n`, ...body, '\nendobj\n'])
  }

  /** §7.3.8: its bytes are deflated. */
  stream(number: number, dictionary: string, deflated: Uint8Array): Uint8Array[] {
    const head = `<<${dictionary}/Filter/FlateDecode/Length ${deflated.length}>>\nstream\n`
    return this.object(number, head, deflated, '\nendstream')
  }

  /** Cross-reference table with the byte offset of each object, trailer. */
  end(root: number): Uint8Array[] {
    const count = this.#offsets.length + 1
    const entries = this.#offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
    return this.#write([
      `xref\n0 ${count}\n0000000000 65535 f \n${entries.join('')}`,
      `trailer\n<</Size ${count}/Root ${root} 0 R>>\nstartxref\n${this.#length}\n%%EOF\n`,
    ])
  }

  #write(parts: readonly (string | Uint8Array)[]): Uint8Array[] {
    const written = parts.map((part) => (typeof part === 'string' ? latin1(part) : part))
    for (const { length } of written) this.#length += length
    return written
  }
}

type Page = {
  /** Width and height in points */
  size: string
  resources: string
  /** Deflated */
  drawing: Uint8Array
  /** Writes the objects that `resources` names. */
  more?: () => Uint8Array[]
}

/** §7.7.2 and §7.7.3: all of a file with one page. */
export function onePage(file: PdfFile, { size, resources, drawing, more }: Page): Uint8Array {
  const [root, pages, page, content] = [1, 2, 3, 4].map(() => file.reserve()) as Numbers
  const box = `/MediaBox[0 0 ${size}]/Resources${resources}/Contents ${content} 0 R`
  return concat([
    ...file.begin(),
    ...file.object(root, `<</Type/Catalog/Pages ${pages} 0 R>>`),
    ...file.object(pages, `<</Type/Pages/Kids[${page} 0 R]/Count 1>>`),
    ...file.object(page, `<</Type/Page/Parent ${pages} 0 R${box}>>`),
    ...file.stream(content, '', drawing),
    ...(more?.() ?? []),
    ...file.end(root),
  ])
}

type Numbers = [number, number, number, number]

/** A byte a character. The text has none above U+00FF. */
export function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

export const hexOf = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

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
