import { lookup } from 'node:dns'
import { once } from 'node:events'
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { inRanges } from './policy/client-address.ts'
import { isPublicAddress } from './public-network.ts'

export type Guard = {
  /** Addresses and ranges of the operator's own network that may be called, also by http */
  allow: string[]
  /** Whether the open internet may be called by http too */
  takesHttp?: boolean
  /** For all of a request: the name, the connection and the answer */
  patienceMs?: number | undefined
  /** For tests, whose certificates are their own */
  tls?: ConnectionOptions | undefined
}

/**
 * Requests to addresses that strangers chose. They reach only what they may, and follow no redirect. An address is
 * checked when the connection is made, so that no name can mean another one by then. Without an answer they throw;
 * `whyNot` has the words.
 */
export function guardedRequests(guard: Guard) {
  const { allow, takesHttp = false, patienceMs = PATIENCE_MS, tls } = guard

  const isAllowedHere = inRanges(allow)
  return async (
    url: URL,
    asked: Pick<RequestOptions, 'method' | 'headers'> & { signal: AbortSignal },
    body?: string,
  ): Promise<IncomingMessage> => {
    const isHttps = url.protocol === 'https:'
    const isOpen = takesHttp || isHttps
    const isAllowed = (found: string) => isAllowedHere(found) || (isOpen && isPublicAddress(found))
    const host = url.hostname.replace(/^\[|\]$/g, '')
    // Node looks up names only.
    if (isIP(host) && !isAllowed(host)) throw new Error(NOT_PUBLIC)
    const request = isHttps ? requestHttps : requestHttp
    const call = request(url, { ...asked, agent: false, lookup: lookupOf(isAllowed), ...tls })
    const late = Object.assign(new Error('no answer in time'), { code: LATE })
    const patience = setTimeout(() => call.destroy(late), patienceMs).unref()
    call.on('close', () => clearTimeout(patience))
    // A connection that breaks later is an error of the answer, which is being read.
    call.on('error', () => {})
    call.end(body)
    const [response] = (await once(call, 'response', asked)) as [IncomingMessage]
    return response
  }
}

const PATIENCE_MS = 10_000
const LATE = 'LATE'
const NOT_PUBLIC = 'not a public address'

/** Finds the addresses of a name, and refuses the name where one of them is not allowed. */
function lookupOf(isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const [first] = found ?? []
      if (error || !first) return done(error ?? new Error('not found'), [])
      if (!found.every(({ address }) => isAllowed(address))) return done(new Error(NOT_PUBLIC), [])
      return options.all ? done(null, found) : done(null, first.address, first.family)
    })
  }
}

const whyNotBy: Record<string, string> = {
  [NOT_PUBLIC]: 'The address isn’t on the public internet',
  [LATE]: 'No answer within 10 seconds',
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

/** Why a request got no answer */
export const whyNot = ({ message, code }: Error & { code?: string }): string =>
  whyNotBy[code ?? message] ?? `The connection failed${code ? `: ${code}` : ''}`
