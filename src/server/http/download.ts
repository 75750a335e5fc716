import type { IncomingMessage } from 'node:http'
import { type Guard, guardedRequests } from './guarded-request.ts'
import { firstBytes } from './input/first-bytes.ts'

export type DownloadLimits = {
  maxBytes: number
  /** For all of it, redirects and names too */
  patienceMs: number
  /** The media types to ask for, pictures if absent */
  accept?: string
  redirectsMax?: number
} & Partial<Pick<Guard, 'allow' | 'tls'>>

const REDIRECTS_MAX = 3

/**
 * Fetches an address that a stranger chose, without becoming their hand in our own network: https only, and
 * only from addresses of the open internet, also after each redirect.
 * @throws where it is not reached, not allowed, not whole in time or too large
 */
export async function download(address: string, limits: DownloadLimits): Promise<Buffer> {
  const { accept = 'image/*', redirectsMax = REDIRECTS_MAX, allow = [], tls, maxBytes } = limits
  const signal = AbortSignal.timeout(limits.patienceMs)
  const headers = { accept, 'user-agent': 'Tessera' }
  const request = guardedRequests({ allow, tls })
  let url = secure(address)
  for (let redirects = 0; redirects <= redirectsMax; redirects++) {
    const response = await request(url, { headers, signal })
    const next = placeAfter(response)
    if (next === undefined) {
      const file = await firstBytes(response, maxBytes)
      if (file.length > maxBytes) throw new Error('too large')
      return file
    }
    response.destroy()
    url = secure(new URL(next, url).href)
  }
  throw new Error('too many redirects')
}

function secure(address: string): URL {
  const url = URL.parse(address)
  if (url?.protocol !== 'https:' || url.username || url.password) throw new Error('not https')
  return url
}

/** Where a redirect leads; undefined for what is asked for. */
function placeAfter({ statusCode = 0, headers }: IncomingMessage): string | undefined {
  if (statusCode === 200) return undefined
  if (statusCode >= 300 && statusCode < 400 && headers.location) return headers.location
  throw new Error(`status ${statusCode}`)
}
