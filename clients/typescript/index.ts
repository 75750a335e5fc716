import { createClient } from './generated/client/index.js'
import { Calls } from './generated/sdk.gen.js'
import type { Error as ErrorBody, Webhooks } from './generated/types.gen.js'
import { type RetryOptions, retrying } from './retrying.js'

export type * from './generated/types.gen.js'

export type ErrorCode = ErrorBody['code']
/** An event that a webhook sends. Check its `type` to know its `data`. */
export type WebhookEvent = Webhooks['body']

/** The server refused a call. After an error, nothing has changed. */
export class TesseraError extends Error {
  override name = 'TesseraError'
  readonly status: number
  /** Says which error it is, and stays the same; `message` is for people. */
  readonly code: ErrorCode
  /** What is wrong with each field, by its name */
  readonly fields: Readonly<Record<string, string>>

  constructor(status: number, { message, code, fields = {} }: ErrorBody) {
    super(message)
    this.status = status
    this.code = code
    this.fields = fields
  }
}

export type TesseraOptions = RetryOptions & {
  /** The server's address, such as https://qr.example.com */
  origin: string
  /** An API key, from Account settings → API keys */
  key: string
}

/**
 * The API of a Tessera server: a method for each call. Answers 429 and 503 are retried after the time
 * that they name.
 * @throws TesseraError for each other refusal; TypeError if the network fails
 */
export class Tessera extends Calls {
  constructor({ origin, key, ...options }: TesseraOptions) {
    const fetch = retrying(options)
    const client = createClient({ baseUrl: origin, auth: key, fetch, throwOnError: true })
    client.interceptors.error.use((error, response) =>
      response && isErrorBody(error) ? new TesseraError(response.status, error) : error,
    )
    super({ client })
  }
}

function isErrorBody(error: unknown): error is ErrorBody {
  return typeof error === 'object' && error !== null && 'code' in error && 'message' in error
}
