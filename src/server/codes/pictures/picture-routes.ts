import type { FastifyRequest } from 'fastify'
import { type ImageQuery, imageQuery, lookQuery, zipQuery } from '#contract/codes/codes.ts'
import { safeFileStem, zipNameOf } from '#contract/file-names.ts'
import {
  imageFormats,
  isForPress,
  type PictureFormat,
  PRINT_SIZE,
} from '#contract/pictures/pictures.ts'
import {
  checkedPrint,
  legibility,
  printProofs,
  printReading,
} from '#contract/pictures/scan-checks.ts'
import { onceHeaders } from '#contract/request-headers.ts'
import { idParams } from '#contract/zod.ts'
import { hangUpSignal, leaveSiteQueue } from '../../http/queue/request-queue.ts'
import type { Asker } from '../../pictures/drawing-pool.ts'
import { attachment } from '../../pictures/file-names.ts'
import { cacheControl, isKnown, pictureETag } from '../../pictures/picture-versions.ts'
import type { Picture } from '../../pictures/pictures.ts'
import { type CodeRow, ownCode } from '../codes-store.ts'
import { designOf } from '../presenter.ts'
import type { Api, CodeRoutesDeps } from '../types.ts'
import { checkPrint, proofsOf } from './print-proofs.ts'

type Asked = Omit<ImageQuery, 'format' | 't' | 'v'>

function pictureOf(row: CodeRow, asked: Asked, format: PictureFormat, publicUrl: string): Picture {
  const printSize = isForPress(format) ? (asked.mm ?? PRINT_SIZE.default) : asked.mm
  const space = asked.cmyk ? 'cmyk' : undefined
  return { ...designOf(row, asked, publicUrl), format, size: asked.size, printSize, space }
}

/** Accounts take turns, and a picture is not drawn if its client has hung up. */
function askerOf(request: FastifyRequest): Asker {
  leaveSiteQueue(request)
  return { owner: request.rateLimitKey, signal: hangUpSignal(request) }
}

/** Pictures of a code, drawn in other threads than this one, and checks of its prints. */
export function pictureRoutes(app: Api, deps: CodeRoutesDeps) {
  const { db, publicUrl, drawings } = deps

  app.get(
    '/api/qr-codes/:id/generate',
    { schema: { params: idParams, querystring: imageQuery } },
    async (request, reply) => {
      const { query, headers } = request
      const row = await ownCode(db, request.actor.workspaceId, request.params.id)
      const picture = pictureOf(row, query, query.format, publicUrl)
      const etag = pictureETag(picture)
      const caching = { etag, 'cache-control': cacheControl(picture, query.v) }
      if (isKnown(headers['if-none-match'], etag)) return reply.code(304).headers(caching).send()
      const { bytes, contentType } = await drawings.picture(picture, askerOf(request))
      return reply.headers(caching).type(contentType).send(bytes)
    },
  )

  app.get(
    '/api/qr-codes/:id/download-zip',
    { schema: { params: idParams, querystring: zipQuery } },
    async (request, reply) => {
      const row = await ownCode(db, request.actor.workspaceId, request.params.id)
      const stem = safeFileStem(row.name)
      const pictures = imageFormats.map((format) =>
        pictureOf(row, request.query, format, publicUrl),
      )
      const { bytes } = await drawings.archive({ pictures, stem }, askerOf(request))
      return reply
        .type('application/zip')
        .header('cache-control', 'private, no-store')
        .header('content-disposition', attachment(zipNameOf(row.name)))
        .send(bytes)
    },
  )

  app.get(
    '/api/qr-codes/:id/legibility',
    { schema: { params: idParams, querystring: lookQuery, response: { 200: legibility } } },
    async (request) => {
      const row = await ownCode(db, request.actor.workspaceId, request.params.id)
      return drawings.checkLook(designOf(row, request.query, publicUrl), askerOf(request))
    },
  )

  app.get(
    '/api/qr-codes/:id/print-proofs',
    { schema: { params: idParams, response: { 200: printProofs } } },
    async ({ actor, params }) => {
      const { id } = await ownCode(db, actor.workspaceId, params.id)
      return (await proofsOf(db, [id])).get(id) ?? []
    },
  )

  // The photo stays in the browser: only the reading comes here.
  app.post(
    '/api/qr-codes/:id/print-proofs',
    {
      schema: {
        params: idParams,
        headers: onceHeaders,
        body: printReading,
        response: { 201: checkedPrint },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      return reply.code(201).send(await checkPrint(deps, actor, params.id, body))
    },
  )
}
