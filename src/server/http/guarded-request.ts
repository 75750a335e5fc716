import { once } from 'node:events'
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { inRanges } from './policy/client-address.ts'
import { isPublicAddress, publicLookup } from './public-network.ts'

export type Guard = {
  /** Addresses and ranges of the operator's own network that may be called, also by http */
  allow: string[]
  /** Whether the open internet may be called by http too */
  takesHttp?: boolean
  /** For tests, whose certificates are their own */
  tls?: ConnectionOptions | undefined
}

const NOT_PUBLIC = 'The address isn’t on the public internet'

/**
 * Requests to addresses that customers chose. They reach only what they may, and follow no redirect. Without an answer
 * they throw; `whyNot` has the words.
 */
export function guardedRequests({ allow, takesHttp = false, tls }: Guard) {
  const isAllowedHere = inRanges(allow)
  return async (
    url: URL,
    options: Pick<RequestOptions, 'method' | 'headers'> & { signal: AbortSignal },
    body?: string,
  ): Promise<IncomingMessage> => {
    const isOpen = takesHttp || url.protocol === 'https:'
    const isAllowed = (found: string) => isAllowedHere(found) || (isOpen && isPublicAddress(found))
    const host = url.hostname.replace(/^\[|\]$/g, '')
    // Node looks up names only.
    if (isIP(host) && !isAllowed(host)) throw new Error('not a public address')
    const request = url.protocol === 'https:' ? requestHttps : requestHttp
    const call = request(url, {
      ...options,
      agent: false,
      lookup: publicLookup(isAllowed),
      ...tls,
    })
    // A connection that breaks later is an error of the answer, which is being read.
    call.on('error', () => {})
    call.end(body)
    const [response] = (await once(call, 'response', options)) as [IncomingMessage]
    return response
  }
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

/** Why a request got no answer */
export function whyNot(error: Error & { code?: string }): string {
  if (error.message === 'not a public address') return NOT_PUBLIC
  return (
    whyNotByCode[error.code ?? ''] ?? `The connection failed${error.code ? `: ${error.code}` : ''}`
  )
}
