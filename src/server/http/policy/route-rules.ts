import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import type { KeyScope } from '#contract/integrations/api-keys.ts'
import { AppError } from '../errors.ts'

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

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Which API keys a route takes: absent or false for none. */
    key?: KeyScope | false
    /** Whether it takes the tokens of connected apps too. */
    takesApps?: boolean
  }
}

const READS = new Set(['GET', 'HEAD'])

/**
 * An `onRoute` hook for a scope whose routes programs may ask: those that only read with any key, the
 * others with one that may write. A route's own rule comes first.
 */
export function takesKeys(route: RouteOptions) {
  const isRead = [route.method].flat().every((method) => READS.has(method))
  route.config = { key: isRead ? 'read' : 'write', ...route.config }
}
