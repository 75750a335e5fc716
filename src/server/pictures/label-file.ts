import { perPage } from '#contract/labels/label-sheets.ts'
import { pdfOfSheets, type SheetPage } from '#qr/formats/pdf-sheet.ts'
import { PdfFile } from '#qr/formats/pdf-syntax.ts'
import type { Asker } from './drawing-pool.ts'
import type { Drawings } from './drawings.ts'
import type { LabelPage } from './labels.ts'

/** A PDF of labels on as many pages as they need, in parts. Nothing is drawn ahead: while nobody takes a part, all waits. */
export function labelFile(
  { labels, first, ...page }: LabelPage,
  drawings: Pick<Drawings, 'labelPage'>,
  asker: Asker,
): AsyncGenerator<Uint8Array> {
  const { sheet } = page
  async function* pages(): AsyncGenerator<SheetPage> {
    let [start, from] = [0, first]
    while (start < labels.length) {
      const end = start + perPage(sheet) - (from - 1)
      const drawn = { ...page, first: from, labels: labels.slice(start, end) }
      const { bytes: content, ...more } = await drawings.labelPage(drawn, asker)
      yield { content, ...more }
      ;[start, from] = [end, 1]
    }
  }
  const size = { width: sheet.pageWidth, height: sheet.pageHeight }
  return pdfOfSheets(pages(), size, new PdfFile())
}
