import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorBody, type ErrorCode, errorTable } from '#contract/errors.ts'
import type { z } from '#contract/zod.ts'
import { isDatabaseDown } from '../database/faults.ts'
import { errorPage, isPageView, sendPlainPage } from './plain-page.ts'

/** Every refusal of this server. The message defaults to the contract's text for the code. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined
  /** Seconds after which the caller may try again (Retry-After, RFC 9110 §10.2.3) */
  retryAfter: number | undefined

  constructor(code: ErrorCode, message?: string, fields?: Record<string, string>) {
    super(message ?? errorTable[code].message)
    this.code = code
    this.fields = fields
  }

  get status(): number {
    return errorTable[this.code].status
  }

  get body(): ErrorBody {
    return this.fields
      ? { message: this.message, code: this.code, fields: this.fields }
      : { message: this.message, code: this.code }
  }
}

/** A refusal whose text stands at its fields, too. */
export function refusedAt(code: ErrorCode, ...fields: string[]): AppError {
  const { message } = errorTable[code]
  return new AppError(code, message, Object.fromEntries(fields.map((field) => [field, message])))
}

/** The same refusal of a part of the input, with its fields below the path of that part. */
export function refusedBelow(path: string, { code, message, fields = {} }: AppError): AppError {
  const named = Object.entries(fields).map(([field, text]) => [`${path}.${field}`, text])
  return new AppError(code, message, Object.fromEntries(named))
}

/** A refusal that ends after this many seconds, rounded up. */
export function tryAgainIn(seconds: number, code: ErrorCode, message?: string): AppError {
  const refusal = new AppError(code, message)
  refusal.retryAfter = Math.max(1, Math.ceil(seconds))
  return refusal
}

/** Errors of Fastify's own, by status. */
const frameworkFaults: Record<number, ErrorCode> = {
  400: 'bad_request',
  404: 'not_found',
  413: 'body_too_large',
  414: 'not_found',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  503: 'unavailable',
}

/**
 * The answer to input that a schema refuses: the first message for people, and every field by its
 * path for forms. An issue without a path is about the input as a whole and names no field.
 */
export function invalidInput(issues: { path: string; message: string }[]): AppError {
  const fields: Record<string, string> = {}
  for (const { path, message } of issues) {
    if (path !== '' && !Object.hasOwn(fields, path)) {
      Object.defineProperty(fields, path, { value: message, enumerable: true })
    }
  }
  const named = Object.keys(fields).length > 0 ? fields : undefined
  return new AppError('invalid_input', issues[0]?.message, named)
}

/** Any thrown value as an AppError; an unexpected one becomes `internal`. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const fault = (error ?? {}) as Partial<FastifyError> & { status?: number }
  // Only the routes that ask the provider have a time in which they answer.
  if (fault.code === 'FST_ERR_HANDLER_TIMEOUT') return new AppError('payments_unavailable')
  const status = fault.statusCode ?? fault.status ?? 500
  // A client that hangs up has the code of a lost connection too, and Fastify's status.
  if (status >= 500 && isDatabaseDown(error)) return new AppError('unavailable')
  return new AppError(frameworkFaults[status] ?? (status < 500 ? 'bad_request' : 'internal'))
}

/** The challenge of a 401: RFC 9110 §11.6.1, RFC 6750 §3. */
const challenges: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'Bearer',
  key_invalid: 'Bearer error="invalid_token"',
}

/** Fastify's error handler: logs our own errors and answers in the contract's shape, or with a page where a person looks. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const { validation, validationContext } = (error ?? {}) as Partial<FastifyError>
  const known = validation
    ? invalidInput(wrongInputs(request, validationContext))
    : toAppError(error)
  dropRestOfBody(request, reply)
  if (known.retryAfter) reply.header('retry-after', known.retryAfter)
  const challenge = challenges[known.code]
  if (challenge) reply.header('www-authenticate', challenge)
  if (known.status >= 500 && known.code !== 'busy')
    request.log.error({ err: error }, 'request failed')
  if (isPageView(request)) return sendPlainPage(reply, known.status, errorPage(known))
  return reply.code(known.status).send(known.body)
}

/** More than the largest file that a call takes: a client that sends somewhat too much reads why. */
const DROPPED_MAX_BYTES = 32 * 1024 * 1024

/**
 * Lets a client read a refusal that is sent before its body has come. A connection that is closed on what
 * still comes loses the answer (RFC 9112 §9.6), so the rest is read and dropped, up to a size. How
 * long it may take is the limit of every request.
 */
function dropRestOfBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete !== false) return
  reply.removeHeader('connection')
  let bytes = 0
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > DROPPED_MAX_BYTES) raw.destroy()
  })
}

export type Issue = { path: string; message: string; code?: string }

/** The parts of a call in the order in which they are checked: their schemas' names and their own */
const PARTS = [
  ['params', 'params'],
  ['body', 'body'],
  ['querystring', 'query'],
  ['headers', 'headers'],
] as const

/** All that the schemas refuse in a call, from one of its parts on: the framework stops at the first that is wrong. */
export function wrongInputs(request: FastifyRequest, first: string = 'params'): Issue[] {
  const { schema = {} } = request.routeOptions
  const from = PARTS.findIndex(([part]) => part === first)
  return PARTS.slice(from).flatMap(([part, name]) => {
    const read = (schema[part] as z.ZodType | undefined)?.safeParse(request[name] ?? null)
    const issues = read?.error?.issues ?? []
    return issues.map(({ path, message, code }) => ({ path: path.join('.'), message, code }))
  })
}
