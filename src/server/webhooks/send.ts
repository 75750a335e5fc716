import { hkdfSync } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { Webhook } from 'standardwebhooks'
import { inRanges } from '../http/policy/client-address.ts'
import { isPublicAddress, publicLookup } from '../http/public-network.ts'

/** For all of it: the name, the connection and the answer */
const PATIENCE_MS = 10_000
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

export type SendOptions = {
  /** Addresses and ranges of the operator's own network that may be called, also by http */
  allow: string[]
  patienceMs?: number
  /** For tests, whose certificates are their own */
  tls?: ConnectionOptions
}

/** A request that is not made, for a reason in our own words. */
class Refused extends Error {}

const NOT_PUBLIC = 'The address isn’t on the public internet'

/** Sends one event. It never throws, follows no redirect, and reaches only what it may. */
export function webhookPosting({ allow, patienceMs = PATIENCE_MS, tls }: SendOptions) {
  const isAllowedHere = inRanges(allow)

  async function send(message: Message, signal: AbortSignal): Promise<Answer> {
    const began = performance.now()
    const took = () => Math.round(performance.now() - began)
    const patience = AbortSignal.timeout(patienceMs)
    try {
      const response = await post(message, AbortSignal.any([signal, patience]))
      const text = await beginningOf(response)
      const { statusCode: status = null, headers } = response
      return { status, text, tookMs: took(), retryAfter: headers['retry-after'] }
    } catch (error) {
      const text = patience.aborted ? 'No answer within 10 seconds' : whyNot(error as Error)
      return { status: null, text, tookMs: took(), retryAfter: undefined }
    }
  }

  async function post({ url: address, id, payload, at, secrets }: Message, signal: AbortSignal) {
    const url = new URL(address)
    const isOpen = url.protocol === 'https:'
    // Events go by https, but in the operator's own network.
    const isAllowed = (found: string) => isAllowedHere(found) || (isOpen && isPublicAddress(found))
    const host = url.hostname.replace(/^\[|\]$/g, '')
    // Node looks up names only.
    if (isIP(host) && !isAllowed(host)) throw new Refused(NOT_PUBLIC)
    const signatures = secrets.map((secret) => new Webhook(secret).sign(id, at, payload))
    const request = isOpen ? requestHttps : requestHttp
    const call = request(url, {
      method: 'POST',
      signal,
      agent: false,
      lookup: publicLookup(isAllowed),
      ...tls,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(payload),
        'user-agent': 'Tessera',
        'webhook-id': id,
        'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
        'webhook-signature': signatures.join(' '),
      },
    })
    // A connection that breaks later is an error of the answer, which is being read.
    call.on('error', () => {})
    call.end(payload)
    const [response] = (await once(call, 'response', { signal })) as [IncomingMessage]
    return response
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

const whyNotByCode: Record<string, string> = {
  ENOTFOUND: 'The server’s name isn’t known',
  EAI_AGAIN: 'The server’s name couldn’t be looked up',
  ECONNREFUSED: 'The server refused the connection',
  ECONNRESET: 'The server closed the connection',
  ETIMEDOUT: 'The server didn’t answer',
  EHOSTUNREACH: 'The server couldn’t be reached',
  CERT_HAS_EXPIRED: 'The server’s certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The server’s certificate isn’t trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'The server’s certificate isn’t trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The server’s certificate isn’t trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The server’s certificate is for another name',
}

function whyNot(error: Error & { code?: string }): string {
  if (error instanceof Refused || error.message === 'not a public address') return NOT_PUBLIC
  return (
    whyNotByCode[error.code ?? ''] ?? `The connection failed${error.code ? `: ${error.code}` : ''}`
  )
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
