import { rightOf } from '#contract/accounts/roles.ts'
import { type ErrorCode, errorTable } from '#contract/errors.ts'
import type { Words } from './groups.ts'
import type { PlainRoute } from './route-schemas.ts'

/** A refusal can come from each call with a key: of an unknown parameter, too. */
const always: ErrorCode[] = [
  ...(['bad_request', 'unauthorized', 'key_invalid', 'key_paused', 'api_not_in_plan'] as const),
  ...(['role_forbids', 'workspace_not_found', 'second_step_needed'] as const),
  ...(['invalid_input', 'rate_limited', 'internal', 'unavailable', 'busy'] as const),
]

type Input = { properties?: Record<string, unknown> } | undefined
type Inputs = Partial<Record<'params' | 'headers' | 'querystring', Input>>

/** All that a route can refuse with, by status. */
export function refusalsOf(route: PlainRoute, words: Words | undefined): Map<number, ErrorCode[]> {
  const { params, headers, querystring } = route.schema as Inputs
  const asked = { ...headers?.properties, ...querystring?.properties }
  const asks = (name: string) => Object.hasOwn(asked, name)
  const codes = new Set<ErrorCode>(always)
  const add = (...more: ErrorCode[]) => {
    for (const code of more) codes.add(code)
  }
  if (route.key === 'write') add('key_read_only')
  const right = rightOf(`${route.method} ${route.url}`)
  if (right === 'edit' || right === 'manage') add('people_over_plan')
  if (route.method !== 'GET') add('forbidden', 'body_too_large', 'unsupported_media_type')
  if (params) add('not_found')
  if (asks('if-match')) add('changed_elsewhere')
  if (asks('idempotency-key')) add('idempotency_key_reused')
  if (/\/qr-codes?\/:id/.test(route.url) || asks('qr')) add('code_not_found')
  if (route.url.startsWith('/api/domains/:id')) add('domain_not_found')
  if (asks('range')) add('range_too_long')
  add(...(words?.errors ?? []))
  return Map.groupBy([...codes], (code) => errorTable[code].status)
}

/** The codes of one status in words, for people and for a test. */
export const inWords = (codes: readonly ErrorCode[]) =>
  codes.map((code) => `- \`${code}\`: ${errorTable[code].message}`).join('\n')
