import { layOutSheet, perPage, type Sheet } from '#contract/label-sheets.ts'
import { pdfOfSheets, type SheetPage } from '#qr/formats/pdf-sheet.ts'
import { PdfFile } from '#qr/formats/pdf-syntax.ts'
import type { Asker } from './drawing-pool.ts'
import type { Drawings } from './drawings.ts'
import type { Label } from './labels.ts'

/** How many pages so many labels take. */
export const pageCount = (sheet: Sheet, labels: number) => Math.ceil(labels / perPage(sheet))

/** A PDF of labels, in parts. Nothing is drawn ahead: while nobody takes a part, all waits. */
export function labelFile(
  { sheet, labels }: { sheet: Sheet; labels: readonly Label[] },
  drawings: Pick<Drawings, 'labelPage'>,
  asker: Asker,
): AsyncGenerator<Uint8Array> {
  async function* pages(): AsyncGenerator<SheetPage> {
    const each = perPage(sheet)
    for (let start = 0; start < labels.length; start += each) {
      const page = { sheet, labels: labels.slice(start, start + each) }
      const { bytes: content, ...more } = await drawings.labelPage(page, asker)
      yield { content, ...more }
    }
  }
  return pdfOfSheets(pages(), layOutSheet(sheet), new PdfFile())
}
