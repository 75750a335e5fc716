import { PDFiumLibrary } from '@hyzyla/pdfium'
import type { Pixels } from './pixels.ts'

let loading: Promise<PDFiumLibrary> | undefined

/** A PDF's one page as Chrome's PDF viewer shows it; the page's edges are in points of 1/72 inch. */
export async function pdfPage(file: Uint8Array, size: number) {
  loading ??= PDFiumLibrary.init()
  const document = await (await loading).loadDocument(file)
  try {
    const page = document.getPage(0)
    const pages = document.getPageCount()
    const { originalWidth: width, originalHeight: height } = page.getOriginalSize()
    const kinds = Array.from(page.objects(), ({ type }) => type)
    const { data } = await page.render({ width: size, height: size, scale: 1 })
    return { pages, width, height, kinds, pixels: withoutAlpha(data, size) }
  } finally {
    document.destroy()
  }
}

function withoutAlpha(rgba: Uint8Array, size: number): Pixels {
  const data = new Uint8Array(3 * size * size)
  for (let at = 0; at < size * size; at++) data.set(rgba.subarray(4 * at, 4 * at + 3), 3 * at)
  return { size, data }
}
