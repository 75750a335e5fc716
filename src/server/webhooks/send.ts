import { hkdfSync } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { type Guard, guardedRequests, whyNot } from '../http/guarded-request.ts'

/** We read this much of an answer, and keep its beginning. */
const ANSWER_MAX = 64 * 1024
const KEPT_CHARACTERS = 1_000

/** An event to send, and the secrets that sign it. */
export type Message = { url: string; id: string; payload: string; at: Date; secrets: string[] }

/** The answer. Without a status there was none, and the text says why. */
export type Answer = {
  status: number | null
  text: string
  tookMs: number
  /** The header Retry-After */
  retryAfter: string | undefined
}

export type SendOptions = Pick<Guard, 'allow' | 'tls' | 'patienceMs'>

/** Sends one event. It never throws, follows no redirect, and reaches only what it may. */
export function webhookPosting(options: SendOptions) {
  // Events go by https, but in the operator's own network.
  const request = guardedRequests(options)

  async function send(message: Message, signal: AbortSignal): Promise<Answer> {
    const began = performance.now()
    const took = () => Math.round(performance.now() - began)
    try {
      const response = await post(message, signal)
      const text = await beginningOf(response)
      const { statusCode: status = null, headers } = response
      return { status, text, tookMs: took(), retryAfter: headers['retry-after'] }
    } catch (error) {
      const text = whyNot(error as Error)
      return { status: null, text, tookMs: took(), retryAfter: undefined }
    }
  }

  function post({ url, id, payload, at, secrets }: Message, signal: AbortSignal) {
    const signatures = secrets.map((secret) => new Webhook(secret).sign(id, at, payload))
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(payload),
      'user-agent': 'Tessera',
      'webhook-id': id,
      'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
      'webhook-signature': signatures.join(' '),
    }
    return request(new URL(url), { method: 'POST', signal, headers }, payload)
  }

  return { send }
}

export type Posting = ReturnType<typeof webhookPosting>

/** The beginning of an answer as text that every database takes. A long answer is cut off. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      // Leaving the loop ends the connection.
      if (size > ANSWER_MAX) break
    }
  } catch {
    // The status has come: what is missing of the text changes nothing.
  }
  const text = Buffer.concat(chunks)
    .subarray(0, 4 * KEPT_CHARACTERS)
    .toString('utf8')
  return text.replaceAll('\0', '').slice(0, KEPT_CHARACTERS).toWellFormed()
}

/** Standard Webhooks asks for 24 to 64 bytes, in base64 after this. */
const PREFIX = 'whsec_'
const BYTES = 32

/**
 * The secret of an endpoint. It is made from the server's key (RFC 5869) and stored nowhere: a copy of
 * the database signs nothing.
 */
export function secretOf(key: string, { id, no }: { id: string; no: number }): string {
  const bytes = hkdfSync('sha256', key, '', `Tessera: webhook ${id} ${no}`, BYTES)
  return PREFIX + Buffer.from(bytes).toString('base64')
}

/** The secrets that sign now, the newest first. */
export function secretsNow(
  key: string,
  row: { id: string; secret_no: number; former_until: number | null },
  now: Date,
): string[] {
  const { id, secret_no: no, former_until } = row
  const hasFormer = former_until !== null && former_until > now.getTime()
  return [no, ...(hasFormer ? [no - 1] : [])].map((each) => secretOf(key, { id, no: each }))
}
