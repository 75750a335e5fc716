import type { FastifyRequest } from 'fastify'
import { AppError } from './errors.ts'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses changes that another site's page asks for with the visitor's cookie. Browsers say where
 * a request comes from (Fetch Metadata, Origin); programs that say nothing have no cookie to abuse.
 */
export function sameOriginOnly(origins: string[]) {
  return async (request: FastifyRequest) => {
    if (SAFE.has(request.method)) return
    const { origin, host } = request.headers
    const site = request.headers['sec-fetch-site']
    if (site && site !== 'same-origin' && site !== 'none') throw new AppError('forbidden')
    if (!origin || origins.includes(origin)) return
    if (URL.parse(origin)?.host !== host) throw new AppError('forbidden')
  }
}
