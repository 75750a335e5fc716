import type { Visit } from '../../http/policy/visit.ts'

/** Longest User-Agent kept, in characters. */
export const AGENT_MAX = 512
const PURPOSE_MAX = 64
const HOST_MAX = 253

export function agentOf({ headers }: Visit): string {
  return (headers['user-agent'] ?? '').slice(0, AGENT_MAX)
}

/** What browsers say when they fetch before the person asks (Sec-Purpose and the headers before it). */
export function purposeOf({ headers }: Visit): string {
  const purpose =
    headers['sec-purpose'] ?? headers.purpose ?? headers['x-purpose'] ?? headers['x-moz'] ?? ''
  return String(purpose).slice(0, PURPOSE_MAX)
}

/** The host a person came from, in lower case; null where the browser does not say. */
export function referrerOf({ headers }: Visit): string | null {
  const host = URL.parse(headers.referer ?? '')?.hostname.toLowerCase()
  return host && host.length <= HOST_MAX ? host : null
}

/** The first language asked for, as a lower-case primary subtag such as `de` (RFC 9110 §12.5.4). */
export function languageOf({ headers }: Visit): string | null {
  const first = /^\s*([a-z]{2,3})(?=[-,;\s]|$)/i.exec(headers['accept-language'] ?? '')
  return first?.[1]?.toLowerCase() ?? null
}
