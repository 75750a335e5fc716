import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

/** UTF-8 (RFC 8259 §8.1), and what is a part of it */
const CHARSETS = /^(utf-?8|us-ascii)$/i
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i

/**
 * Takes JSON bodies: an empty one is none, as clients send it with DELETE, and a malformed one is refused
 * with the place of its fault. No body of any kind is taken compressed.
 */
export function takeJson(server: FastifyInstance) {
  const parse = server.getDefaultJsonParser('error', 'error')
  server.addHook('preParsing', refuseEncoded)
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const text = textOf(request, body as Buffer)
    if (text === '') return done(null, undefined)
    parse(request, text, (error, value) => {
      if (error) done(refusalOf(text))
      else done(null, value)
    })
  })
}

async function refuseEncoded({ method, headers }: FastifyRequest): Promise<void> {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (method === 'GET' || method === 'HEAD' || encoding.toLowerCase() === 'identity') return
  throw new AppError('unsupported_media_type', 'Send the body without Content-Encoding.')
}

/** A body as the text that it is: a guess at bytes that are no UTF-8 would be kept. @throws AppError bad_request, unsupported_media_type */
export function textOf({ headers }: FastifyRequest, body: Buffer): string {
  const [, charset = 'utf-8'] = CHARSET.exec(headers['content-type'] ?? '') ?? []
  if (!CHARSETS.test(charset)) {
    throw new AppError('unsupported_media_type', 'Send the body in UTF-8 (charset=utf-8).')
  }
  const text = body.toString()
  if (isUtf8(body)) return text
  const place = Buffer.from(text).findIndex((byte, at) => byte !== body[at])
  throw new AppError('bad_request', `The body isn’t UTF-8: see the byte at position ${place}.`)
}

/** The refusal of a text that is not JSON, with what the engine found, such as "Unexpected token". */
function refusalOf(text: string): AppError {
  try {
    JSON.parse(text)
  } catch (error) {
    const { message } = error as Error
    return new AppError('bad_request', `The body isn’t valid JSON. ${message}`)
  }
  return new AppError('bad_request')
}
