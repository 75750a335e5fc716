import { createHash } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type Stripe from 'stripe'
import type { StripeSettings } from '../../config.ts'
import { AppError } from '../../http/errors.ts'
import { CustomerGone, KeyRefused } from '../provider.ts'

/** How long a call to Stripe may take, and how often one without an answer is repeated. */
export type StripeBounds = { timeoutMs: number; retries: number }

const USUAL_BOUNDS: StripeBounds = { timeoutMs: 10_000, retries: 2 }

type ClientDeps = {
  settings: StripeSettings
  log: FastifyBaseLogger
  bounds?: Partial<StripeBounds> | undefined
}

export type StripeCalls = ReturnType<typeof stripeCalls>

/** Calls of the SDK, which is loaded at the first one: it takes tens of megabytes. */
export function stripeCalls({ settings, log, bounds }: ClientDeps) {
  let sdk: Promise<Stripe> | undefined
  const { timeoutMs: timeout, retries: maxNetworkRetries } = { ...USUAL_BOUNDS, ...bounds }
  /** @throws AppError payments_unavailable, payment_refused for a failure, which is logged as `what` */
  return async <T>(what: string, work: (stripe: Stripe) => Promise<T>): Promise<T> => {
    try {
      sdk ??= stripeOf(settings, { timeout, maxNetworkRetries })
      return await work(await sdk)
    } catch (error) {
      throw toPaymentFault(error, what, log)
    }
  }
}

/** The SDK with the key of the settings. */
export async function stripeOf(
  { secretKey, apiBase }: Pick<StripeSettings, 'secretKey' | 'apiBase'>,
  bounds: Pick<Stripe.StripeConfig, 'timeout' | 'maxNetworkRetries'> = {},
): Promise<Stripe> {
  const { default: Sdk } = await import('stripe')
  return new Sdk(secretKey, { ...addressOf(apiBase), ...bounds, telemetry: false })
}

/** An address in the parts that the SDK takes. */
function addressOf(apiBase: string | undefined): Stripe.StripeConfig {
  if (!apiBase) return {}
  const { protocol, hostname, port } = new URL(apiBase)
  const scheme = protocol === 'http:' ? 'http' : 'https'
  return { protocol: scheme, host: hostname, port: port || (scheme === 'http' ? 80 : 443) }
}

/** The fields that we read of an error of the SDK; the rest has raw headers and may have secrets. */
type StripeFault = {
  type: string
  message: string
  code?: string
  param?: string
  statusCode?: number
  requestId?: string
  detail?: { code?: string }
}

/** An error of the SDK; undefined for any other. */
function stripeFault(error: unknown): StripeFault | undefined {
  const { type } = (error ?? {}) as Partial<StripeFault>
  return typeof type === 'string' && error instanceof Error
    ? (error as unknown as StripeFault)
    : undefined
}

/**
 * Stripe does a request with the same key once. It refuses the same key with other parameters, as
 * after the customer was replaced, so the key contains a hash of them.
 */
export function idempotent(id: string, params: object): Stripe.RequestOptions {
  const content = createHash('sha256').update(JSON.stringify(params)).digest('hex').slice(0, 16)
  return { idempotencyKey: `${id}:${content}` }
}

/** The id of an object that Stripe sends as its id, or whole. */
export const idOf = (object: string | { id: string }) =>
  typeof object === 'string' ? object : object.id

/** Whether Stripe has no such object, has deleted it, or has it in another mode. */
export const isMissing = (error: unknown) => stripeFault(error)?.code === 'resource_missing'

/** Whether Stripe understood the request and refused it, with this code if one is given. */
export function isRefused(error: unknown, code?: string): boolean {
  const fault = stripeFault(error)
  return fault?.type === 'StripeInvalidRequestError' && (code === undefined || fault.code === code)
}

/** Asks once more after a refusal: the operator may have replaced what was read before, which is forgotten. */
export async function againIfRefused<T>(ask: () => Promise<T>, forget: () => void): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!isRefused(error)) throw error
    forget()
    return ask()
  }
}

/** Statuses of requests that can succeed later as they are: another one is under way, or there are too many. */
const BUSY = new Set([409, 429])

/** Whether Stripe did not answer, failed or was busy. All else it refuses every time. */
function isOutage({ statusCode }: StripeFault): boolean {
  return statusCode === undefined || statusCode >= 500 || BUSY.has(statusCode)
}

/** Keys, secrets of payments and addresses of people, which Stripe repeats in some of its texts. */
const PRIVATE = /\b(?:[sr]k_|whsec_)\S+|\S+_secret_\S+|\S+@\S+/g
/** Characters of a reason that are logged. */
const REASON_MAX = 300

const reasonOf = ({ message }: StripeFault) => message.replace(PRIVATE, '…').slice(0, REASON_MAX)

/** The error for the caller; the cause goes into the log, without Stripe's headers. */
function toPaymentFault(error: unknown, what: string, log: FastifyBaseLogger): Error {
  if (error instanceof AppError || error instanceof CustomerGone) return error
  const fault = stripeFault(error)
  if (!fault) {
    log.error(
      { what, err: error },
      'a payment is not set up, or an answer of Stripe cannot be read',
    )
    return new AppError('payment_refused')
  }
  const { type, code, param, statusCode, requestId, detail } = fault
  const reason = reasonOf(fault)
  const stripe = { type, code, param, statusCode, requestId, cause: detail?.code, reason }
  log.error({ what, stripe }, 'a call to Stripe failed')
  if (statusCode === 401 || statusCode === 403) return new KeyRefused('payment_refused')
  return new AppError(isOutage(fault) ? 'payments_unavailable' : 'payment_refused')
}
