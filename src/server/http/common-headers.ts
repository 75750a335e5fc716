import type { Config } from '../config.ts'

/** A year, the value that helmet recommends */
const HSTS = 'max-age=31536000; includeSubDomains'

export type CommonHeaders = Readonly<Record<string, string>>

/** The headers that every answer has: pages, redirects, errors, and refusals of what is no HTTP. */
export function commonHeaders({ publicUrl }: Pick<Config, 'publicUrl'>): CommonHeaders {
  return Object.freeze({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': HSTS } : {}),
  })
}
