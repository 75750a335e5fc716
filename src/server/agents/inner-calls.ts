import type { FastifyRequest, InjectOptions } from 'fastify'
import { errorBody } from '#contract/errors.ts'
import { MINUTE_MS } from '#contract/time.ts'
import type { z } from '#contract/zod.ts'
import type { Actor } from '../actor.ts'
import { AppError } from '../http/errors.ts'
import { addressOf, askFor } from '../http/policy/client-address.ts'
import { hangUpSignal } from '../http/queue/request-queue.ts'

/** How long one call of the API may take; then its tool says so. */
const CALL_MS = MINUTE_MS

/** A tool's request to the API. A field that is undefined is absent. */
export type Asked = {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  query?: Record<string, string | number | boolean | undefined>
  body?: object
  headers?: Record<string, string | undefined>
}

type Answered = { statusCode: number; headers: Record<string, unknown>; rawPayload: Buffer }

export type Inject = (request: InjectOptions) => Promise<Answered>

/**
 * The API's own routes, asked inside the process for the account and the scope of the agent that called, from
 * its address: their limits, scopes, schemas and history are those of every other program. What the agent
 * proved itself with goes no further. The call that came from outside was counted; these are not
 * counted again.
 */
export class InnerCalls {
  readonly #request: FastifyRequest
  readonly #caller: Actor
  readonly #inject: Inject

  constructor(request: FastifyRequest, caller: Actor, inject: Inject) {
    this.#request = request
    this.#caller = caller
    this.#inject = inject
  }

  /** An answer in JSON. @throws AppError the API's refusal, in its words */
  async json<Answer extends z.ZodType>(answer: Answer, asked: Asked): Promise<z.output<Answer>> {
    return answer.parse(JSON.parse((await this.bytes(asked)).toString()))
  }

  /** An answer as it comes. @throws as `json` */
  async bytes({ method = 'GET', path, query = {}, body, headers = {} }: Asked): Promise<Buffer> {
    const request = {
      method,
      url: path,
      query: present(query),
      signal: this.#signal(),
      remoteAddress: addressOf(this.#request),
      headers: present(headers),
      ...(body && { payload: body }),
    }
    const asked = askFor(this.#caller, () => this.#inject(request))
    const answer = await asked.catch((error: Error) => {
      throw error.name === 'AbortError' ? new AppError('unavailable') : error
    })
    if (answer.statusCode < 300) return answer.rawPayload
    throw refusalOf(answer)
  }

  #signal(): AbortSignal {
    return AbortSignal.any([hangUpSignal(this.#request), AbortSignal.timeout(CALL_MS)])
  }
}

/** The refusal that an answer of the API's is. */
function refusalOf({ rawPayload, headers }: Answered): AppError {
  const { code, message, fields } = errorBody.parse(JSON.parse(rawPayload.toString()))
  const refusal = new AppError(code, message, fields)
  const seconds = Number(headers['retry-after'])
  if (seconds > 0) refusal.retryAfter = seconds
  return refusal
}

function present<Value>(fields: Record<string, Value | undefined>): Record<string, string> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}
