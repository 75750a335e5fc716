import type { FastifyReply, FastifyRequest } from 'fastify'

/** More than the largest file that a call takes: a client that sends somewhat too much reads why. */
const DROPPED_MAX_BYTES = 32 * 1024 * 1024

/**
 * Lets a client read a refusal that is sent before its body has come. A connection that is closed on what
 * still comes loses the answer (RFC 9112 §9.6), so the rest is read and dropped, up to a size. How
 * long it may take is the limit of every request.
 */
export function dropRestOfBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete !== false) return
  reply.removeHeader('connection')
  let bytes = 0
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > DROPPED_MAX_BYTES) raw.destroy()
  })
}
