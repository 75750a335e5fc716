import type { FastifyBaseLogger } from 'fastify'
import type Stripe from 'stripe'
import type { StripeSettings } from '../../config.ts'
import { toPaymentFault } from './stripe-faults.ts'

/** How long a call to Stripe may take, and how often one without an answer is repeated. */
export type StripeBounds = { timeoutMs: number; retries: number }

const USUAL_BOUNDS: StripeBounds = { timeoutMs: 10_000, retries: 2 }

type ClientDeps = {
  settings: StripeSettings
  log: FastifyBaseLogger
  bounds?: Partial<StripeBounds> | undefined
}

/** The SDK, loaded at the first call: it takes tens of megabytes. */
export class StripeClient {
  readonly #deps: ClientDeps
  #sdk: Promise<Stripe> | undefined

  constructor(deps: ClientDeps) {
    this.#deps = deps
  }

  /** @throws AppError payments_unavailable for every failure, which is logged as `what` */
  async run<T>(what: string, work: (stripe: Stripe) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#load())
    } catch (error) {
      throw toPaymentFault(error, what, this.#deps.log)
    }
  }

  #load(): Promise<Stripe> {
    this.#sdk ??= this.#connect()
    return this.#sdk
  }

  async #connect(): Promise<Stripe> {
    const { settings, bounds } = this.#deps
    const { default: Sdk } = await import('stripe')
    const { timeoutMs, retries } = { ...USUAL_BOUNDS, ...bounds }
    return new Sdk(settings.secretKey, {
      ...addressOf(settings.apiBase),
      timeout: timeoutMs,
      maxNetworkRetries: retries,
      telemetry: false,
    })
  }
}

/** An address in the parts that the SDK takes. */
export function addressOf(apiBase: string | undefined): Stripe.StripeConfig {
  if (!apiBase) return {}
  const { protocol, hostname, port } = new URL(apiBase)
  const scheme = protocol === 'http:' ? 'http' : 'https'
  return { protocol: scheme, host: hostname, port: port || (scheme === 'http' ? 80 : 443) }
}
