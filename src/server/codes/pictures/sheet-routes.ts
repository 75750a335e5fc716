import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { hasName, layOutLabel } from '#contract/labels/label-layout.ts'
import { pagesOf } from '#contract/labels/label-sheets.ts'
import { type LabelsAsked, labelsAsked, sheetOf } from '#contract/labels/labels-asked.ts'
import { chosenCodes, SERIES_BODY_MAX } from '#contract/series.ts'
import { DistinctStems } from '../../pictures/file-names.ts'
import { labelFile } from '../../pictures/label-file.ts'
import type { Label } from '../../pictures/labels.ts'
import { zipStream } from '../../pictures/zip-stream.ts'
import { type CodeRow, ownCodes } from '../codes-store.ts'
import { savedDesign } from '../presenter.ts'
import type { CodeDeps } from '../types.ts'
import {
  FILES_PER_CODE,
  fileHeaders,
  inParts,
  picturesOf,
  refuseFaults,
  type SheetTurn,
  ZIP_CHECK_EDGE,
} from './codes-file.ts'
import type { PicturesDeps } from './picture-routes.ts'

export type SheetsDeps = PicturesDeps &
  Pick<CodeDeps, 'clock'> & {
    sheetTurn: SheetTurn
  }

/** A body says which codes; nothing is changed. */
const onlyReads = { config: { key: 'read' as const } }

/** Files of many codes, made while they are sent: labels to print, and a zip of all pictures. */
export function sheetRoutes(plain: FastifyInstance, deps: SheetsDeps) {
  const { db, publicUrl, drawings, clock, sheetTurn } = deps
  const app = plain.withTypeProvider<ZodTypeProvider>()
  app.post(
    '/api/qr-codes/labels',
    { ...onlyReads, bodyLimit: SERIES_BODY_MAX, schema: { body: labelsAsked } },
    async (request, reply) => {
      const { body, userId } = request
      const { caption, first } = body
      const asker = await sheetTurn(request, reply)
      const rows = await ownCodes(db, userId, body.ids)
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
    const { body, userId } = request
    const asker = await sheetTurn(request, reply)
    const rows = await ownCodes(db, userId, body.ids)
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
