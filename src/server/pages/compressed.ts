import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A text that is the same for all visitors, in each form that a browser may take. */
export type CompressedPage = { plain: string; br: Buffer; gzip: Buffer }

/** Sends the smallest form that the browser accepts (RFC 9110 §12.5.3). */
export function sendCompressed(request: FastifyRequest, reply: FastifyReply, page: CompressedPage) {
  const accepted = String(request.headers['accept-encoding'] ?? '').toLowerCase()
  const coding = negotiate(accepted, ['br', 'gzip'])
  if (!coding) return reply.send(page.plain)
  return reply.header('content-encoding', coding).send(page[coding])
}
