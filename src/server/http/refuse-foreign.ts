import type { FastifyRequest } from 'fastify'
import { AppError } from './errors.ts'

/**
 * For an answer that costs a lot: a page of another site that links here must not make anybody's (Fetch
 * Metadata).
 * @throws AppError forbidden
 */
export function refuseForeign({ headers }: FastifyRequest) {
  const site = headers['sec-fetch-site'] ?? 'none'
  if (site !== 'none' && site !== 'same-origin') throw new AppError('forbidden')
}
