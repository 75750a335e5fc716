import { Webhook } from 'standardwebhooks'
import type { Webhooks } from './generated/types.gen.js'

/** The headers of a call, as node:http or as `fetch` has them. */
type CallHeaders = Headers | Record<string, string | string[] | undefined>

/**
 * Makes the check for the events of one webhook (Standard Webhooks).
 * @param secret the webhook's secret, `whsec_…`
 * @returns a function that takes the body as it came, before it is parsed, and the headers, and returns
 * the event. It throws if the event is not from your server, or is older than five minutes.
 */
export function webhookVerifier(secret: string) {
  const webhook = new Webhook(secret)
  return (body: string | Uint8Array, headers: CallHeaders): Webhooks['body'] => {
    const entries = headers instanceof Headers ? [...headers] : Object.entries(headers)
    const plain = Object.fromEntries(entries.map(([name, value]) => [name, `${value ?? ''}`]))
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
    return webhook.verify(text, plain) as Webhooks['body']
  }
}
