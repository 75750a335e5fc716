import type { FastifyInstance } from 'fastify'

const CLOSE_AGAIN_MS = 50

/**
 * A stop closes the connections that are idle at that moment. A proxy's, over which a redirect was
 * just then under way, would be kept alive after it and hold the stop up for a minute.
 */
export function endWhenAnswered({ server }: FastifyInstance) {
  const timer = setInterval(() => server.closeIdleConnections(), CLOSE_AGAIN_MS)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}
