import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from './errors.ts'

/**
 * From here on the routes take files of these media types as they are, and nothing else.
 * @throws AppError unsupported_media_type, in these words
 */
export function takeFiles(app: FastifyInstance, types: readonly string[], refusal: string) {
  app.removeAllContentTypeParsers()
  const asItIs = async (_request: FastifyRequest, body: Buffer) => body
  app.addContentTypeParser([...types], { parseAs: 'buffer' }, asItIs)
  app.addContentTypeParser('*', async () => {
    throw new AppError('unsupported_media_type', refusal)
  })
}
