import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { type ImageQuery, imageQuery, lookQuery, zipQuery } from '#contract/codes.ts'
import { imageFormats, type PictureFormat, PRINT_SIZE } from '#contract/pictures.ts'
import { codeIdOf } from '../http/code-id.ts'
import { AppError } from '../http/errors.ts'
import type { Drawings } from '../pictures/drawings.ts'
import { attachment, safeFileStem } from '../pictures/file-names.ts'
import { cacheControl, isKnown, pictureETag } from '../pictures/picture-caching.ts'
import type { Picture } from '../pictures/pictures.ts'
import { designOf } from './code-look.ts'
import { type CodeRow, findCode } from './codes-store.ts'
import type { LifecycleDeps } from './lifecycle.ts'

export type PicturesDeps = Pick<LifecycleDeps, 'db' | 'publicUrl'> & { drawings: Drawings }
type Asked = Omit<ImageQuery, 'format' | 't' | 'v'>

function pictureOf(row: CodeRow, asked: Asked, format: PictureFormat, publicUrl: string): Picture {
  const printSize = format === 'pdf' ? (asked.mm ?? PRINT_SIZE.default) : asked.mm
  return { ...designOf(row, asked, publicUrl), format, size: asked.size, printSize }
}

/** Pictures of a code, drawn in other threads than this one. */
export function pictureRoutes(plain: FastifyInstance, { db, publicUrl, drawings }: PicturesDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()

  async function codeOf(request: FastifyRequest): Promise<CodeRow> {
    const row = await findCode(db, request.userId, codeIdOf(request))
    if (!row) throw new AppError('code_not_found')
    return row
  }

  app.get(
    '/api/qr-codes/:id/generate',
    { schema: { querystring: imageQuery } },
    async (request, reply) => {
      const { query, headers } = request
      const picture = pictureOf(await codeOf(request), query, query.format, publicUrl)
      const etag = pictureETag(picture)
      const caching = { etag, 'cache-control': cacheControl(picture, query.v) }
      if (isKnown(headers['if-none-match'], etag)) return reply.code(304).headers(caching).send()
      const { bytes, contentType } = await drawings.picture(picture)
      return reply.headers(caching).type(contentType).send(bytes)
    },
  )

  app.get(
    '/api/qr-codes/:id/download-zip',
    { schema: { querystring: zipQuery } },
    async (request, reply) => {
      const row = await codeOf(request)
      const stem = safeFileStem(row.name)
      const pictures = imageFormats.map((format) =>
        pictureOf(row, request.query, format, publicUrl),
      )
      const { bytes } = await drawings.archive({ pictures, stem })
      return reply
        .type('application/zip')
        .header('cache-control', 'private, no-store')
        .header('content-disposition', attachment(`${stem}_all_formats.zip`))
        .send(bytes)
    },
  )

  app.get(
    '/api/qr-codes/:id/legibility',
    { schema: { querystring: lookQuery } },
    async (request) => {
      const row = await codeOf(request)
      return drawings.checkLook(designOf(row, request.query, publicUrl))
    },
  )
}
