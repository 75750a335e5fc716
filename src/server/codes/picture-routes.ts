import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import {
  type ImageQuery,
  imageFormats,
  imageQuery,
  type PictureFormat,
  zipQuery,
} from '#contract/codes.ts'
import { PictureTooSmall } from '#qr/layout.ts'
import { AppError, invalidInput } from '../errors.ts'
import { zipOfPictures } from './archive.ts'
import { codeIdOf } from './code-id.ts'
import { type CodeRow, findCode } from './codes-store.ts'
import { attachment, safeFileStem } from './file-names.ts'
import type { LifecycleDeps } from './lifecycle.ts'
import { lookOf } from './looks.ts'
import { drawPicture, type Picture, pictureETag } from './pictures.ts'

type Deps = Pick<LifecycleDeps, 'db' | 'publicUrl'>
type Asked = Omit<ImageQuery, 'format' | 't' | 'v'>

function pictureOf(row: CodeRow, asked: Asked, format: PictureFormat, publicUrl: string): Picture {
  return { ...lookOf(row, asked, publicUrl), format, size: asked.size, printSize: asked.mm }
}

/** If-None-Match is a list, and proxies that compress make its tags weak (RFC 9110 §13.1.2). */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags?.some((tag) => tag === etag || tag === '*') ?? false
}

async function draw(picture: Picture) {
  try {
    return await drawPicture(picture)
  } catch (error) {
    if (!(error instanceof PictureTooSmall)) throw error
    throw invalidInput([{ path: 'size', message: error.message }])
  }
}

export function pictureRoutes(plain: FastifyInstance, { db, publicUrl }: Deps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()

  async function codeOf(userId: string, id: string): Promise<CodeRow> {
    const row = await findCode(db, userId, id)
    if (!row) throw new AppError('code_not_found')
    return row
  }

  app.get(
    '/api/qr-codes/:id/generate',
    { schema: { querystring: imageQuery } },
    async (request, reply) => {
      const row = await codeOf(request.userId, codeIdOf(request))
      const picture = pictureOf(row, request.query, request.query.format, publicUrl)
      const etag = pictureETag(picture)
      const headers = { etag, 'cache-control': 'private, no-cache' }
      if (isKnown(request.headers['if-none-match'], etag)) {
        return reply.code(304).headers(headers).send()
      }
      const { bytes, contentType } = await draw(picture)
      return reply.headers(headers).type(contentType).send(bytes)
    },
  )

  app.get(
    '/api/qr-codes/:id/download-zip',
    { schema: { querystring: zipQuery } },
    async (request, reply) => {
      const row = await codeOf(request.userId, codeIdOf(request))
      const stem = safeFileStem(row.name)
      const files = await Promise.all(
        imageFormats.map(async (format) => {
          const { bytes } = await draw(pictureOf(row, request.query, format, publicUrl))
          return { name: `${stem}.${format}`, bytes }
        }),
      )
      return reply
        .type('application/zip')
        .header('cache-control', 'private, no-store')
        .header('content-disposition', attachment(`${stem}_all_formats.zip`))
        .send(zipOfPictures(files))
    },
  )
}
