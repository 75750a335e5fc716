import { lookup } from 'node:dns'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import ipaddr from 'ipaddr.js'
import { withoutZone } from './policy/client-address.ts'

const GIVEN_OUT = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether an IP address is one of the open internet, and not of this machine or a network around it. */
export function isPublicAddress(address: string): boolean {
  if (!isIP(address)) return false
  const ip = ipaddr.parse(withoutZone(address))
  if (ip.range() !== 'unicast') return false
  // Only 2000::/3 of IPv6 is given out.
  return !('parts' in ip) || ip.match(GIVEN_OUT)
}

export type DownloadLimits = {
  maxBytes: number
  /** For all of it, redirects and names too */
  patienceMs: number
  /** The media types to ask for, pictures if absent */
  accept?: string
  redirectsMax?: number
  /** Another rule than `isPublicAddress`, and other certificates: for tests, whose server is here */
  isPublic?: (address: string) => boolean
  tls?: ConnectionOptions
}

const REDIRECTS_MAX = 3

/**
 * Fetches an address that a stranger chose, without becoming their hand in our own network: https only, and
 * only from addresses of the open internet. The address is checked when the connection is made, so
 * that no name can mean another one by then; and again after each redirect.
 * @throws where it is not reached, not allowed, not whole in time or too large
 */
export async function download(address: string, limits: DownloadLimits): Promise<Buffer> {
  const signal = AbortSignal.timeout(limits.patienceMs)
  let url = allowed(address, limits)
  const { redirectsMax = REDIRECTS_MAX } = limits
  for (let redirects = 0; redirects <= redirectsMax; redirects++) {
    const response = await get(url, limits, signal)
    const next = placeAfter(response)
    if (next === undefined) return readAll(response, limits.maxBytes)
    response.destroy()
    url = allowed(new URL(next, url).href, limits)
  }
  throw new Error('too many redirects')
}

function allowed(address: string, { isPublic = isPublicAddress }: DownloadLimits): URL {
  const url = URL.parse(address)
  if (url?.protocol !== 'https:' || url.username || url.password) throw new Error('not https')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // Node looks up names only.
  if (isIP(host) && !isPublic(host)) throw new Error('not a public address')
  return url
}

async function get(
  url: URL,
  { isPublic, tls, accept = 'image/*' }: DownloadLimits,
  signal: AbortSignal,
) {
  const call = request(url, {
    signal,
    agent: false,
    lookup: publicLookup(isPublic ?? isPublicAddress),
    ...tls,
    headers: { accept, 'user-agent': 'Tessera' },
  })
  // A connection that breaks later is an error of the answer, which is being read.
  call.on('error', () => {})
  call.end()
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  return response
}

/** Finds the addresses of a name, and refuses the name where one of them is not allowed. */
export function publicLookup(isPublic: (address: string) => boolean): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const [first] = found ?? []
      if (error || !first) return done(error ?? new Error('not found'), [])
      if (!found.every(({ address }) => isPublic(address))) {
        return done(new Error('not a public address'), [])
      }
      return options.all ? done(null, found) : done(null, first.address, first.family)
    })
  }
}

/** Where a redirect leads; undefined for what is asked for. */
function placeAfter({ statusCode = 0, headers }: IncomingMessage): string | undefined {
  if (statusCode === 200) return undefined
  if (statusCode >= 300 && statusCode < 400 && headers.location) return headers.location
  throw new Error(`status ${statusCode}`)
}

async function readAll(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    // Leaving the loop ends the connection.
    if (size > maxBytes) throw new Error('too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
