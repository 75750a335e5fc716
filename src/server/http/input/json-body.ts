import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

/**
 * Takes JSON bodies: an empty one is none, as clients send it with DELETE, and a malformed one is refused
 * with the place of its fault.
 */
export function takeJson(server: FastifyInstance) {
  const parse = server.getDefaultJsonParser('error', 'error')
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined)
    parse(request, body as string, (error, value) => {
      if (error) done(refusalOf(body as string))
      else done(null, value)
    })
  })
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
