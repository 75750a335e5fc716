import type { FastifyRequest } from 'fastify'
import { AppError } from '../http/errors.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The text as an id; undefined where it is none of ours. */
export function asCodeId(text: string): string | undefined {
  return UUID.test(text) ? text.toLowerCase() : undefined
}

/**
 * The id in the path. What is no id of ours answers like a missing one and never reaches the database.
 * @throws AppError code_not_found
 */
export function codeIdOf(request: FastifyRequest): string {
  const { id } = request.params as { id: string }
  const codeId = asCodeId(id)
  if (!codeId) throw new AppError('code_not_found')
  return codeId
}
