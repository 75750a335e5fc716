import { PDFiumLibrary } from '@hyzyla/pdfium'
import { readBarcodes } from 'zxing-wasm/reader'
import './decode.ts'

const POINTS_PER_MM = 72 / 25.4
/** Edges are found to a fortieth of a millimetre. */
const PIXELS_PER_MM = 16
/** A code is read in at least as many pixels: a bigger picture takes a decoder long. */
const READ_PIXELS = 400

/** A part of a page in millimetres from its top left. */
export type Place = { left: number; top: number; right: number; bottom: number }

/** A page of a PDF as Chrome's PDF viewer shows it; lengths are millimetres. */
export class PdfSheet {
  readonly width: number
  readonly height: number
  readonly #columns: number
  readonly #bytes: Uint8Array

  constructor(width: number, height: number, bytes: Uint8Array) {
    this.width = width
    this.height = height
    this.#columns = Math.round(width * PIXELS_PER_MM)
    this.#bytes = bytes
  }

  /** The smallest part of a place that has all its ink; undefined if it has none. */
  inkIn(place: Place): Place | undefined {
    const [left, top, right, bottom] = edgesOf(place)
    const ink = { left: right, top: bottom, right: left, bottom: top }
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) {
        if (this.#isLight(x, y)) continue
        ink.left = Math.min(ink.left, x)
        ink.top = Math.min(ink.top, y)
        ink.right = Math.max(ink.right, x + 1)
        ink.bottom = Math.max(ink.bottom, y + 1)
      }
    }
    if (ink.right <= ink.left) return undefined
    const inMm = Object.entries(ink).map(([edge, pixel]) => [edge, pixel / PIXELS_PER_MM])
    return Object.fromEntries(inMm) as Place
  }

  /** The text of the one QR code in a place, in fewer pixels, or null if none can be read. */
  async codeIn(place: Place): Promise<string | null> {
    const [left, top, right, bottom] = edgesOf(place)
    const step = Math.max(1, Math.floor((right - left) / READ_PIXELS))
    const [width, height] = [right - left, bottom - top].map((edge) => Math.floor(edge / step)) as [
      number,
      number,
    ]
    const pixels = new Uint32Array(this.#bytes.buffer, this.#bytes.byteOffset)
    const read = Uint32Array.from({ length: width * height }, (_, at) => {
      const [x, y] = [left + step * (at % width), top + step * Math.floor(at / width)]
      return pixels[y * this.#columns + x] ?? 0
    })
    const data = new Uint8ClampedArray(read.buffer)
    const picture = { width, height, data, colorSpace: 'srgb' as const }
    const found = await readBarcodes(picture, { formats: ['QRCode'] })
    return found.length === 1 && found[0]?.isValid ? found[0].text : null
  }

  #isLight(x: number, y: number): boolean {
    return (this.#bytes[4 * (y * this.#columns + x)] ?? 255) > 127
  }
}

function edgesOf({ left, top, right, bottom }: Place): [number, number, number, number] {
  const pixel = (edge: number) => Math.round(edge * PIXELS_PER_MM)
  return [pixel(left), pixel(top), pixel(right), pixel(bottom)]
}

let loading: Promise<PDFiumLibrary> | undefined

/** All pages of a PDF. */
export async function pdfSheets(file: Uint8Array): Promise<PdfSheet[]> {
  loading ??= PDFiumLibrary.init()
  const document = await (await loading).loadDocument(file)
  try {
    const sheets: PdfSheet[] = []
    for (let number = 0; number < document.getPageCount(); number++) {
      const page = document.getPage(number)
      const { originalWidth, originalHeight } = page.getOriginalSize()
      const [width, height] = [originalWidth / POINTS_PER_MM, originalHeight / POINTS_PER_MM]
      const pixels = (edge: number) => Math.round(edge * PIXELS_PER_MM)
      const { data } = await page.render({ width: pixels(width), height: pixels(height), scale: 1 })
      sheets.push(new PdfSheet(width, height, data))
    }
    return sheets
  } finally {
    document.destroy()
  }
}
