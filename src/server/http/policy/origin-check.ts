import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * A stricter check of the origin than by the method: `own` for an answer that costs a lot, which a
     * page of another site that links here must not have made; `public` for a sign-in, whose cookie
     * would be of no use at another address of this server.
     */
    origin?: 'own' | 'public'
  }
}

export const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The origins that may sign in: the public one and, for a server on loopback, its other names. */
export function trustedOrigins(publicUrl: string): string[] {
  const url = new URL(publicUrl)
  if (!LOOPBACK.has(url.hostname)) return [url.origin]
  const port = url.port ? `:${url.port}` : ''
  return [...LOOPBACK].map((host) => `${url.protocol}//${host}${port}`)
}

/** Whether a browser says that a page of another site sent this (Fetch Metadata). */
export function isFromOtherSite({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'] ?? 'none'
  return site !== 'none' && site !== 'same-origin'
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses changes that a page of another site sends with the visitor's cookie. Browsers say where a
 * request comes from (Fetch Metadata, Origin). A program that does not say it holds no visitor's cookie.
 */
export function checkOrigin(publicUrl: string) {
  const origins = trustedOrigins(publicUrl)
  const isSecure = publicUrl.startsWith('https:')
  return async (request: FastifyRequest) => {
    const { method, headers, routeOptions } = request
    const wanted = routeOptions.config.origin
    if (SAFE.has(method) && wanted === undefined) return
    if (isFromOtherSite(request)) throw new AppError('forbidden')
    const { origin, host } = headers
    if (!origin || origins.includes(origin)) return
    const from = URL.parse(origin)
    if (!from || from.host !== host) throw new AppError('forbidden')
    if (wanted !== 'public') {
      // Without TLS anyone on the network between can have written the page.
      const isSafe = from.protocol === 'https:' || LOOPBACK.has(from.hostname)
      if (isSecure && !isSafe) throw new AppError('forbidden')
      return
    }
    throw new AppError('forbidden', `Open ${publicUrl} in your browser and log in there.`)
  }
}
