import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A page that is the same for everybody, with the forms that browsers take it in, made once. */
export type CompressedPage = { plain: string; br: Buffer; gzip: Buffer }

export function compressPage(plain: string): CompressedPage {
  return { plain, br: brotliCompressSync(plain), gzip: gzipSync(plain) }
}

/** Sends the smallest form that the visitor's browser says it takes (RFC 9110 §12.5.3). */
export function sendCompressed(request: FastifyRequest, reply: FastifyReply, page: CompressedPage) {
  const coding = (['br', 'gzip'] as const).find((each) => takes(request, each))
  if (!coding) return reply.send(page.plain)
  return reply.header('content-encoding', coding).send(page[coding])
}

function takes(request: FastifyRequest, coding: string): boolean {
  const accepted = String(request.headers['accept-encoding'] ?? '').toLowerCase()
  return accepted.split(',').some((part) => {
    const [name, ...parameters] = part.split(';').map((text) => text.trim())
    return name === coding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}
