import { resourcesOf, type SceneForm } from '../artwork/artwork-pdf.ts'
import { type LogoImage, logoObjects } from '../artwork/logo-image.ts'
import type { Appearance } from '../symbol/look.ts'
import type { Matrix } from '../symbol/matrix.ts'
import { baseFonts, CAP_HEIGHT, encoded, type Font, fitted, widthOf } from './helvetica.ts'
import { symbolContent } from './pdf.ts'
import { hexOf, number, type PdfFile, POINTS_PER_MM } from './pdf-syntax.ts'

/* A page with many symbols and lines of text below them. Lengths are millimetres, y runs down. */

type Place = { readonly x: number; readonly y: number }

/** A picture of 1 bit a pixel, rows of whole bytes: what it sets is black, the rest stays as it is. */
export type InkPicture = {
  readonly width: number
  readonly height: number
  readonly deflated: Uint8Array
}

export type SheetItem =
  | (Place & {
      readonly kind: 'symbol'
      readonly matrix: Matrix
      readonly appearance: Appearance
      readonly edge: number
    })
  /** In the middle of a place; sizes of letters in points. @throws Unwritable */
  | (Place &
      Box & {
        readonly kind: 'text'
        readonly text: string
        readonly font: Font
        readonly size: number
        readonly least: number
      })
  /** The page's picture of this number, in the middle of a place. */
  | (Place & Box & { readonly kind: 'picture'; readonly number: number; readonly shape: Box })
  /** The page's drawing of this number. */
  | (Place & Box & { readonly kind: 'drawing'; readonly number: number })
  | (Place & { readonly kind: 'line'; readonly to: Place })

type Box = { readonly width: number; readonly height: number }

/** The fonts do not have all letters of a text. */
export class Unwritable extends RangeError {
  override name = 'Unwritable'
}

/** Thin and light: to cut along, and hardly seen where one does not. */
const LINE = '0.25 w 0.75 G'

/** The page's operators. */
export function sheetContent(items: readonly SheetItem[], pageHeight: number): string {
  return [LINE, ...items.map((item) => operatorsOf(item, pageHeight))].join('\n')
}

const points = (millimetres: number) => number(millimetres * POINTS_PER_MM)

function operatorsOf(item: SheetItem, pageHeight: number): string {
  const up = (y: number) => points(pageHeight - y)
  switch (item.kind) {
    case 'symbol': {
      const { x, y, edge, matrix, appearance } = item
      const symbol = symbolContent(matrix, { ...appearance, printSize: edge })
      return `q 1 0 0 1 ${points(x)} ${up(y + edge)} cm\n${symbol}\nQ`
    }
    case 'line':
      return `${points(item.x)} ${up(item.y)} m ${points(item.to.x)} ${up(item.to.y)} l S`
    case 'picture': {
      const { x, y, width, height, shape } = item
      const left = points(x + (width - shape.width) / 2)
      const bottom = up(y + (height + shape.height) / 2)
      return `q 0 g ${points(shape.width)} 0 0 ${points(shape.height)} ${left} ${bottom} cm /P${item.number} Do Q`
    }
    case 'drawing':
      return `q 1 0 0 1 ${points(item.x)} ${up(item.y + item.height)} cm /D${item.number} Do Q`
    case 'text':
      return textOf(item, pageHeight)
  }
}

function textOf(item: Extract<SheetItem, { kind: 'text' }>, pageHeight: number): string {
  const { font, x, y, width, height } = item
  const whole = encoded(item.text)
  if (!whole) throw new Unwritable(`No font of ours has all letters of ${item.text}`)
  if (whole.length === 0) return ''
  const { bytes, size } = fitted(whole, font, { ...item, width: width * POINTS_PER_MM })
  const left = number((x + width / 2) * POINTS_PER_MM - (widthOf(bytes, font) * size) / 2)
  const bottom = (pageHeight - y - height) * POINTS_PER_MM
  const baseline = number(bottom + (height * POINTS_PER_MM - CAP_HEIGHT * size) / 2)
  return `BT 0 g /${font} ${number(size)} Tf ${left} ${baseline} Td <${hexOf(bytes)}> Tj ET`
}

/** A scene's operators, deflated, with what they need: its size in points, and the id of its logo. */
export type SheetDrawing = Pick<SceneForm, 'shading' | 'size'> & {
  readonly deflated: Uint8Array
  readonly logo: string | undefined
}

export type SheetPage = {
  readonly content: Uint8Array
  readonly pictures: readonly InkPicture[]
  readonly drawings: readonly SheetDrawing[]
  /** The logos of its drawings */
  readonly logos: readonly (LogoImage & { readonly id: string })[]
}

/**
 * A PDF of such pages, in parts that are made as they are asked for. `content` is what `sheetContent`
 * answers, deflated.
 */
export async function* pdfOfSheets(
  pages: AsyncIterable<SheetPage>,
  { width, height }: Box,
  file: PdfFile,
): AsyncGenerator<Uint8Array> {
  const [root, tree] = [file.reserve(), file.reserve()]
  const fonts = (Object.keys(baseFonts) as Font[]).map((font) => ({ font, at: file.reserve() }))
  const fontList = fonts.map(({ font, at }) => `/${font} ${at} 0 R`).join('')
  const kids: number[] = []
  /** A logo is in the file once, however many codes have it. */
  const logoNumbers = new Map<string, number>()
  yield* file.begin()
  yield* file.object(root, `<</Type/Catalog/Pages ${tree} 0 R>>`)
  for (const { font, at } of fonts) {
    const name = `/BaseFont/${baseFonts[font]}/Encoding/WinAnsiEncoding`
    yield* file.object(at, `<</Type/Font/Subtype/Type1${name}>>`)
  }
  for await (const { content, pictures, drawings, logos } of pages) {
    for (const logo of logos) {
      if (logoNumbers.has(logo.id)) continue
      const at = file.reserve()
      logoNumbers.set(logo.id, at)
      yield* logoObjects(file, at, logo)
    }
    const [page, drawing] = [file.reserve(), file.reserve()]
    kids.push(page)
    const images = pictures.map((picture) => ({ picture, at: file.reserve() }))
    const forms = drawings.map((form) => ({ form, at: file.reserve() }))
    const named = (letter: string, list: readonly { at: number }[]) =>
      list.map(({ at }, index) => `/${letter}${index} ${at} 0 R`).join('')
    const imageList = named('P', images) + named('D', forms)
    const resources = `<</Font<<${fontList}>>/XObject<<${imageList}>>>>`
    yield* file.object(
      page,
      `<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 ${points(width)} ${points(height)}]/Resources${resources}/Contents ${drawing} 0 R>>`,
    )
    yield* file.stream(drawing, '', content)
    for (const { picture, at } of images) yield* file.stream(at, inkOf(picture), picture.deflated)
    for (const { form, at } of forms) {
      const logo = form.logo === undefined ? undefined : logoNumbers.get(form.logo)
      yield* file.stream(at, formOf(form, logo), form.deflated)
    }
  }
  const list = kids.map((kid) => `${kid} 0 R`).join(' ')
  yield* file.object(tree, `<</Type/Pages/Kids[${list}]/Count ${kids.length}>>`)
  yield* file.end(root)
}

/** §8.9.6.2: a stencil, whose bits that are 1 are painted. */
const inkOf = ({ width, height }: InkPicture) =>
  `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ImageMask true/BitsPerComponent 1/Decode[1 0]`

/** §8.10.2 */
const formOf = (form: SheetDrawing, logo: number | undefined) =>
  `/Type/XObject/Subtype/Form/BBox[0 0 ${form.size}]/Resources${resourcesOf(form, logo)}`
