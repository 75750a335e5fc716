import type { FastifyBaseLogger } from 'fastify'
import { AppError } from '../../http/errors.ts'
import { CustomerGone } from '../provider.ts'

/** What we read of an error of the SDK; the rest has raw headers and may have secrets. */
type StripeFault = {
  type: string
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

/** Whether Stripe has no such object, or has deleted it. */
export function isMissing(error: unknown, param?: string): boolean {
  const fault = stripeFault(error)
  return fault?.code === 'resource_missing' && (param === undefined || fault.param === param)
}

/** Whether Stripe understood the request and refused it. */
export function isRefused(error: unknown): boolean {
  return stripeFault(error)?.type === 'StripeInvalidRequestError'
}

/** The error for the caller; the cause goes into the log, without Stripe's texts and headers. */
export function toPaymentFault(error: unknown, what: string, log: FastifyBaseLogger): Error {
  if (error instanceof AppError || error instanceof CustomerGone) return error
  const fault = stripeFault(error)
  if (fault) {
    const { type, code, param, statusCode, requestId, detail } = fault
    const stripe = { type, code, param, statusCode, requestId, cause: detail?.code }
    log.error({ what, stripe }, 'a call to Stripe failed')
  } else {
    log.error({ what, err: error }, 'an answer of Stripe could not be read')
  }
  return new AppError('payments_unavailable')
}
