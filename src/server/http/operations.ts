import { createHmac, randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { type PublicConfig, publicConfig } from '#contract/accounts/accounts.ts'
import { MINUTE_MS } from '#contract/time.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { QuickReads } from '../database/quick-reads.ts'
import type { Db } from '../database/schema.ts'
import { isSame } from '../same-secret.ts'
import { AppError } from './errors.ts'
import { exposition, type Metric } from './metrics.ts'
import { addressOf } from './policy/client-address.ts'

/** Neither waits for writers. */
type Reads = { lookups: Db; quick?: QuickReads | undefined }

export type OperationsDeps = {
  hasDatabase: () => Promise<boolean>
  config: Config
  secret: string
  clock: Clock
  metrics: () => Metric[]
  /** Whether prices contain tax; undefined if no tax is computed, or it is not known yet */
  taxBehaviors: () => PublicConfig['taxBehaviors']
  /** Whether visitors may have regions */
  hasRegions: boolean
}

/** Routes about the server itself: how it is set up, whether it works, what its counters say. */
export async function operationsRoutes(plain: FastifyInstance, deps: OperationsDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()

  app.get('/api/config', { schema: { response: { 200: publicConfig } } }, async () =>
    presentConfig(deps),
  )

  app.get('/healthz', async (request) => ({
    status: 'ok',
    ...arrivalOf(request, deps.secret, deps.clock().getTime()),
  }))

  app.get('/readyz', async () => {
    if (!(await deps.hasDatabase())) throw new AppError('unavailable')
    return { status: 'ok' }
  })

  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, deps.config)) throw new AppError('not_found')
    return reply.type('text/plain; version=0.0.4').send(exposition(deps.metrics()))
  })
}

/** Asks for a row of a table: a damaged file still answers `select 1`. */
export function databaseProbe({ lookups, quick }: Reads): () => Promise<boolean> {
  const someCode = lookups.selectFrom('codes').selectAll().limit(1)
  const readQuickly = quick?.prepare(someCode)
  return async () => {
    try {
      if (!readQuickly?.()) await someCode.execute()
      return true
    } catch {
      return false
    }
  }
}

function presentConfig({ config, taxBehaviors, hasRegions }: OperationsDeps): PublicConfig {
  return {
    hostUrl: config.publicUrl,
    billing: config.billing,
    checkout: config.checkout,
    publishableKey: config.stripe?.publishableKey ?? null,
    taxBehaviors: taxBehaviors(),
    supportEmail: config.supportEmail ?? null,
    privacyUrl: config.privacyUrl ?? null,
    termsUrl: config.termsUrl ?? null,
    signUp: config.signUp === 'open' ? 'open' : 'closed',
    mail: config.smtpUrl ? 'smtp' : 'outbox',
    passwordLogin: config.passwordLogin,
    provider: config.provider?.name ?? null,
    verifyEmail: config.verifyEmail,
    hasRegions,
  }
}

const LOOPBACK = /^(localhost|::1|(::ffff:)?127(\.\d{1,3}){3})$/

/** Without a token, only who asks this machine by its own name, from this machine. */
function mayReadMetrics(request: FastifyRequest, config: Config): boolean {
  const { authorization = '' } = request.headers
  if (config.metricsToken) return isSame(authorization, `Bearer ${config.metricsToken}`)
  // Behind a proxy on this machine every request comes from loopback.
  return config.trustProxy === false && isAskedHere(request)
}

/** Whether a program on this machine asks it by its own name, and not a proxy for another one. */
export function isAskedHere({ headers, socket }: FastifyRequest): boolean {
  if ('x-forwarded-for' in headers || 'forwarded' in headers) return false
  // Not every proxy says that it is one; most pass on the name that the visitor asked for.
  const asked = URL.parse(`http://${headers.host}`)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  return LOOPBACK.test(asked) && LOOPBACK.test(socket.remoteAddress ?? '')
}

/** The header by which `npm run doctor` proves that it knows the session secret. */
export const DOCTOR_HEADER = 'x-tessera-doctor'
const VALID_MS = 5 * MINUTE_MS

/** A text that is valid for some minutes and does not hold the secret. */
export function doctorProof(secret: string, at: number): string {
  const moment = `${at}.${randomUUID()}`
  return `${moment}.${macOf(secret, moment)}`
}

/** How this request arrived, for the doctor only: the addresses of proxies are not for strangers. */
function arrivalOf(request: FastifyRequest, secret: string, now: number) {
  const { [DOCTOR_HEADER]: proof, 'x-forwarded-for': forwardedFor = '' } = request.headers
  if (!isValid(String(proof), secret, now)) return undefined
  const { remoteAddress: peer = '' } = request.socket
  return { peer, forwardedFor: String(forwardedFor), address: addressOf(request) }
}

/** The connection's address, the header, and the visitor's address by TRUST_PROXY */
export type Arrival = NonNullable<ReturnType<typeof arrivalOf>>

function isValid(proof: string, secret: string, now: number): boolean {
  const [at = '', nonce = '', mac = ''] = proof.split('.')
  const isRecent = Math.abs(now - Number(at)) <= VALID_MS
  return isRecent && isSame(mac, macOf(secret, `${at}.${nonce}`))
}

const macOf = (secret: string, moment: string) =>
  createHmac('sha256', secret).update(`doctor ${moment}`).digest('hex')
