import { StripeRefusal } from './refusals.ts'

export type Reply = { status: number; body: unknown }

type Entry = { request: string; reply: Reply | undefined }

/** Repeats the answer to a request with the same key; https://docs.stripe.com/api/idempotent_requests */
export class Idempotency {
  readonly #entries = new Map<string, Entry>()

  /** The earlier answer; undefined for a new key. */
  recall(key: string, request: string): Reply | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    if (entry.request !== request) {
      const message = 'Keys for idempotent requests can only be used with the same parameters'
      throw new StripeRefusal(400, { type: 'idempotency_error', message })
    }
    if (!entry.reply) {
      const message = 'There is currently another in-progress request using this key'
      throw new StripeRefusal(409, { code: 'idempotency_key_in_use', message })
    }
    return entry.reply
  }

  begin(key: string, request: string) {
    this.#entries.set(key, { request, reply: undefined })
  }

  /** Stores the answer, even a refusal. A request that was not carried out has none. */
  end(key: string, reply: Reply) {
    const entry = this.#entries.get(key)
    if (entry) entry.reply = reply
  }
}
