import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { AppError, invalidInput } from '../errors.ts'
import { memoryLimits } from '../limits/limits.ts'
import { rateLimit } from '../limits/memory-counts.ts'
import type { FairQueue } from '../queue/fair-queue.ts'
import { queueByAddress } from '../queue/request-queue.ts'
import { clientAddress } from './client-address.ts'

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

export type SitePolicyDeps = {
  config: Config
  /** Hashes of the inline scripts in our pages */
  scripts: string[]
  /** Requests wait here, by address. */
  queue: FairQueue
}

/** The rules for every request except scans and the payment provider's events. */
export async function applySitePolicy(site: FastifyInstance, deps: SitePolicyDeps) {
  const { config, scripts, queue } = deps
  await site.register(helmet, securityHeaders(config, scripts))
  if (config.trustProxy === false) tellOfProxies(site)
  // Before the count: refusals without turns, sent ahead by the thousand, would hold up all others.
  queueByAddress(site, queue)
  site.addHook('onRequest', rateLimit(memoryLimits['address-reads'], clientAddress))
  site.addHook('onRequest', checkOrigin(config.publicUrl))
  site.addHook('preHandler', refuseNul)
  site.addHook('onResponse', async (request, reply) => {
    const { method, url } = request
    const ms = Math.round(reply.elapsedTime)
    request.log.info({ method, url: loggedUrl(url), status: reply.statusCode, ms }, 'request')
  })
}

/** A query under these paths can hold what opens an account, such as the code of a provider. */
const SECRET_QUERY = /^\/(api\/(auth|unsubscribe)|oauth)[/?]/

/** The address of a shared page opens it, so its token is as good as a password. */
const SECRET_PATH = /^(\/(?:api\/share|s)\/)[^/?]+/

const loggedUrl = (url: string) =>
  SECRET_QUERY.test(url) ? url.replace(/\?.*$/s, '?…') : url.replace(SECRET_PATH, '$1…')

/** Every answer has these headers, whatever answers it, and the id of its records in the log. */
export function applyCommonHeaders(scope: FastifyInstance, config: Config) {
  const headers = commonHeaders(config)
  scope.addHook('onRequest', async (request, reply) => {
    reply.headers(headers(request.headers.host)).header('x-request-id', request.id)
  })
}

/** An operator who forgot the setting would see limits reached by all visitors together, and not know why. */
function tellOfProxies(site: FastifyInstance) {
  let isTold = false
  site.addHook('onRequest', async (request) => {
    if (isTold || !('x-forwarded-for' in request.headers)) return
    isTold = true
    request.log.warn(
      'X-Forwarded-For came and is not trusted: all visitors behind a proxy count as one address. Set TRUST_PROXY.',
    )
  })
}

/**
 * Refuses NUL in any input that is read: PostgreSQL cannot store it (SQLSTATE 22021), and both engines
 * must answer alike. Runs after validation, when the inputs are flat. A page is a page also if its address
 * carries parameters that are not read. A picture's bytes are not text. In a path it stands where no id or
 * name has one: another character finds as little, and each route answers as for what is not there.
 * @throws AppError invalid_input
 */
async function refuseNul(request: FastifyRequest) {
  const params = request.params as Record<string, unknown>
  for (const [name, value] of Object.entries(params ?? {})) {
    if (typeof value === 'string') params[name] = value.replaceAll('\0', '\ufffd')
  }
  const query = request.routeOptions.schema?.querystring ? request.query : undefined
  const body = request.body instanceof Uint8Array ? undefined : request.body
  for (const input of [query, body]) {
    for (const [path, value] of Object.entries(input ?? {})) {
      if (typeof value !== 'string' || !value.includes('\0')) continue
      throw invalidInput([{ path, message: 'Contains characters that cannot be used' }])
    }
  }
}

/** @param scripts hashes of the inline scripts in our pages */
export function securityHeaders(config: Config, scripts: string[]) {
  const stripe = stripeSources(config)
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        objectSrc: ["'none'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'"],
        scriptSrc: ["'self'", "'wasm-unsafe-eval'", ...scripts, ...stripe.scripts],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', 'https:'],
        ...stripe.directives,
      },
    },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' as const },
    // These come from `commonHeaders`, for all answers.
    strictTransportSecurity: false,
    xContentTypeOptions: false,
    frameguard: false,
  }
}

type StripeSources = { scripts: string[]; directives: Record<string, string[]> }

/** Stripe's hosts, where its form is part of our page: https://docs.stripe.com/security/guide#content-security-policy */
function stripeSources({ billing, checkout }: Config): StripeSources {
  if (billing !== 'stripe' || checkout !== 'embedded') return { scripts: [], directives: {} }
  const scripts = ['https://js.stripe.com', 'https://*.js.stripe.com']
  return {
    scripts,
    directives: {
      frameSrc: [...scripts, 'https://hooks.stripe.com'],
      connectSrc: ["'self'", 'https://api.stripe.com'],
    },
  }
}

/** A year, the value that helmet recommends */
const HSTS = 'max-age=31536000'

/** By the host that was asked, as far as it is known */
export type CommonHeaders = (host: string | undefined) => Readonly<Record<string, string>>

/**
 * The headers that every answer has: pages, redirects, errors, and refusals of what is no HTTP. The subdomains of a
 * customer's host are not ours: their browsers would ask for https there for a year.
 */
export function commonHeaders({ publicUrl }: Pick<Config, 'publicUrl'>): CommonHeaders {
  const common = { 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' }
  if (!publicUrl.startsWith('https:')) return () => common
  const elsewhere = { ...common, 'strict-transport-security': HSTS }
  const ours = { ...common, 'strict-transport-security': `${HSTS}; includeSubDomains` }
  const ourHost = new URL(publicUrl).host
  return (host) => (host === ourHost ? ours : elsewhere)
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
