import type { FastifyRequest } from 'fastify'
import { uuidOf } from '#contract/text.ts'
import { AppError } from './errors.ts'

/**
 * The id in the path. What is no UUID answers like a missing code and never reaches the database.
 * @throws AppError code_not_found
 */
export function codeIdOf(request: FastifyRequest): string {
  const { id } = request.params as { id: string }
  const codeId = uuidOf(id)
  if (!codeId) throw new AppError('code_not_found')
  return codeId
}
