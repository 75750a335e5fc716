import { hasName, layOutLabel } from '#contract/labels/label-layout.ts'
import { pagesOf, perPage } from '#contract/labels/label-sheets.ts'
import { type LabelsAsked, labelsAsked, sheetOf } from '#contract/labels/labels-asked.ts'
import { chosenCodes, SERIES_BODY_MAX } from '#contract/series/series.ts'
import { pdfOfSheets, type SheetPage } from '#qr/formats/pdf-sheet.ts'
import { PdfFile } from '#qr/formats/pdf-syntax.ts'
import type { Asker } from '../../pictures/drawing-pool.ts'
import type { Drawings } from '../../pictures/drawings.ts'
import { DistinctStems } from '../../pictures/file-names.ts'
import type { Label, LabelPage } from '../../pictures/labels.ts'
import { zipStream } from '../../pictures/zip-stream.ts'
import { type CodeRow, ownCodes } from '../codes-store.ts'
import { savedDesign } from '../presenter.ts'
import type { Api, CodeRoutesDeps } from '../types.ts'
import {
  FILES_PER_CODE,
  fileHeaders,
  inParts,
  picturesOf,
  refuseFaults,
  ZIP_CHECK_EDGE,
} from './codes-file.ts'

/** A body says which codes; nothing is changed. */
const onlyReads = { config: { key: 'read' as const } }

/** Files of many codes, made while they are sent: labels to print, and a zip of all pictures. */
export function sheetRoutes(
  app: Api,
  { db, publicUrl, drawings, clock, sheetTurn }: CodeRoutesDeps,
) {
  app.post(
    '/api/qr-codes/labels',
    { ...onlyReads, bodyLimit: SERIES_BODY_MAX, schema: { body: labelsAsked } },
    async (request, reply) => {
      const { body, actor } = request
      const { caption, first } = body
      const asker = await sheetTurn(request, reply)
      const rows = await ownCodes(db, actor.workspaceId, body.ids)
      const labels = rows.map((row) => labelOf(row, body))
      const sheet = sheetOf(body)
      await refuseFaults(labels, layOutLabel(sheet, caption).code.edge, drawings, asker, rows)
      return reply
        .headers(fileHeaders('labels.pdf', pagesOf(sheet, labels.length, first)))
        .type('application/pdf')
        .send(inParts(labelFile({ sheet, caption, first, labels }, drawings, asker)))
    },
  )

  const zip = { ...onlyReads, schema: { body: chosenCodes } }
  app.post('/api/qr-codes/pictures', zip, async (request, reply) => {
    const { body, actor } = request
    const asker = await sheetTurn(request, reply)
    const rows = await ownCodes(db, actor.workspaceId, body.ids)
    const labels = rows.map((row) => labelOf(row, NOTHING_WRITTEN))
    await refuseFaults(labels, ZIP_CHECK_EDGE, drawings, asker, rows)
    const stems = new DistinctStems()
    async function* files() {
      for (const row of rows) {
        const design = savedDesign(row, publicUrl)
        yield* picturesOf(stems.of(row.name), design, (picture) => drawings.picture(picture, asker))
      }
    }
    return reply
      .headers(fileHeaders('qr_codes.zip', FILES_PER_CODE * rows.length))
      .type('application/zip')
      .send(inParts(zipStream(files(), clock())))
  })

  function labelOf(row: CodeRow, { caption, captions, drawnNames }: Written): Label {
    const design = savedDesign(row, publicUrl)
    const link = design.text.replace(/^https?:\/\//, '')
    if (!hasName(caption)) return { design, name: '', link }
    return { design, name: captions[row.id] ?? row.name, link, drawnName: drawnNames[row.id] }
  }
}

type Written = Pick<LabelsAsked, 'caption' | 'captions' | 'drawnNames'>
const NOTHING_WRITTEN: Written = { caption: 'none', captions: {}, drawnNames: {} }

/** A PDF of labels on as many pages as they need, in parts. Nothing is drawn ahead of the reader. */
function labelFile(
  { labels, first, ...page }: LabelPage,
  drawings: Drawings,
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
