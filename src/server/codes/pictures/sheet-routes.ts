import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { hasName, layOutLabel } from '#contract/labels/label-layout.ts'
import { pagesOf } from '#contract/labels/label-sheets.ts'
import { type LabelsAsked, labelsAsked, sheetOf } from '#contract/labels/labels-asked.ts'
import { chosenCodes, SERIES_BODY_MAX } from '#contract/series.ts'
import { queues } from '../../http/limits/limits.ts'
import { FairQueue } from '../../http/queue/fair-queue.ts'
import { hangUpSignal, leaveSiteQueue } from '../../http/queue/request-queue.ts'
import type { Asker } from '../../pictures/drawing-pool.ts'
import { attachment } from '../../pictures/file-names.ts'
import { labelFile } from '../../pictures/label-file.ts'
import type { Label } from '../../pictures/labels.ts'
import { zipStream } from '../../pictures/zip-stream.ts'
import type { LifecycleDeps } from '../change-code.ts'
import { type CodeRow, ownCodes } from '../codes-store.ts'
import { chosenPictures, FILES_PER_CODE, refuseFaults, ZIP_CHECK_EDGE } from './chosen-codes.ts'
import { savedDesign } from './code-look.ts'
import type { PicturesDeps } from './picture-routes.ts'

export type SheetsDeps = PicturesDeps &
  Pick<LifecycleDeps, 'clock'> & {
    /** Takes the turn of an account, which ends with the answer. */
    sheetTurn: SheetTurn
  }

export type SheetTurn = (request: FastifyRequest, reply: FastifyReply) => Promise<Asker>

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
    const codes = rows.map((row) => ({ name: row.name, design: savedDesign(row, publicUrl) }))
    const files = chosenPictures(codes, (picture) => drawings.picture(picture, asker))
    return reply
      .headers(fileHeaders('qr_codes.zip', FILES_PER_CODE * codes.length))
      .type('application/zip')
      .send(inParts(zipStream(files, clock())))
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

/** One file of an account at a time. */
export function sheetTurns(): SheetTurn {
  const turns = new FairQueue(queues.sheets)
  return async (request, reply) => {
    leaveSiteQueue(request)
    const signal = hangUpSignal(request)
    const endTurn = await turns.begin(request.rateLimitKey, signal)
    reply.raw.once('close', endTurn)
    return { owner: request.rateLimitKey, signal, isExempt: true }
  }
}

/** `x-total-files` says how many pages or files there will be, for a bar. */
export function fileHeaders(name: string, total: number) {
  return {
    'cache-control': 'private, no-store',
    'content-disposition': attachment(name),
    'x-total-files': total,
  }
}

export const inParts = (parts: AsyncGenerator<Uint8Array>) =>
  Readable.from(parts, { objectMode: false })
