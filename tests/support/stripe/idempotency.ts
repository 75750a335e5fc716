import { StripeRefusal } from './refusals.ts'

export type Reply = { status: number; body: unknown }

type Entry = { request: string; reply: Reply | undefined }

/** What was answered under a key is answered again; https://docs.stripe.com/api/idempotent_requests */
export class Idempotency {
  readonly #entries = new Map<string, Entry>()

  /** The answer of before; undefined for a key that is new. */
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

  /** Keeps the answer, even a refusal; what was never carried out leaves nothing. */
  end(key: string, reply: Reply) {
    const entry = this.#entries.get(key)
    if (entry) entry.reply = reply
  }
}
