import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * The id in the path. What is no id of ours answers like a missing one and never reaches the database.
 * @throws AppError code_not_found
 */
export function codeIdOf(request: FastifyRequest): string {
  const { id } = request.params as { id: string }
  if (!UUID.test(id)) throw new AppError('code_not_found')
  return id.toLowerCase()
}
