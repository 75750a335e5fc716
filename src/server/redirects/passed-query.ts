import { utmOf } from '#contract/analytics/utm.ts'
import type { Target } from '../codes/types.ts'

/** The longest Location: nginx takes an answer whose head is at most 4 kB, if it is not told otherwise. */
const LOCATION_MAX = 3_072

/** The parameters of a printed link, also those that were put behind it with & alone. */
export const queryOf = (url: string) => /[?&](.*)/s.exec(url)?.[1] ?? ''

/**
 * The target of one scan, with the parameters of its link if the code passes them on. The destination's own come
 * first, and no other has a name of theirs: what the owner wrote cannot be changed by a link. What would be too long
 * is left out. `URL` encodes what a header cannot have (RFC 9110 §5.5).
 */
export function targetWith(target: Target, query: string): Target {
  if (!target.passQuery || query === '' || query.length > LOCATION_MAX) return target
  const url = new URL(target.url)
  const own = new Set(url.searchParams.keys())
  const isNew = (pair: string) =>
    [...new URLSearchParams(pair).keys()].every((key) => !own.has(key))
  const passed = query.split('&').filter((pair) => pair !== '' && isNew(pair))
  if (passed.length === 0) return target
  url.search = [url.search.slice(1), ...passed].filter(Boolean).join('&')
  return url.href.length > LOCATION_MAX
    ? target
    : { ...target, url: url.href, utm: utmOf(url.href) }
}
