import { utmOf } from '#contract/analytics/utm.ts'
import type { Variant } from '#contract/codes/code-rules.ts'
import type { Destination, ScanReading, Target } from '../codes/types.ts'
import { branchOf } from './branch.ts'
import type { Domain } from './types.ts'

/** A name that a link asks for. */
export type Asked = {
  /** The name as it is looked up, with its domain; '' where the link has no name */
  key: string
  /** Whether a + stands behind it, which asks where the code leads */
  isPreview: boolean
  /** The parameters of the link */
  query: string
  domain?: Domain | undefined
  /** Another name that the link may mean, if this one leads nowhere */
  otherwise?: Asked | undefined
}

/** A link as cameras open it. Compact codes print it in capitals, and their names are in small letters. */
const PLAIN = /^\/(?:(qr|QR)\/)?([\w-]+)(?:\?(.*))?$/
/** The form of our names, and of those on a domain, which another service may have made: any other is not looked up. */
const OURS = /^[\w-]{3,50}$/
const THEIRS = /^[^\s\p{Cc}]{1,200}$/u

/**
 * The name that an address asks for: under /qr/ on our host, anywhere on a customer's. Returns undefined for an
 * address that has no place for names.
 */
export function nameAsked(domain: Domain | undefined, url: string): Asked | undefined {
  const plain = PLAIN.exec(url)
  if (plain?.[2] && (plain[1] || domain)) {
    return named(plain[2], url, plain[3] ?? '', domain) ?? nameless(domain)
  }
  const path = domain && !/^\/qr\//i.test(url) ? `/qr/${url.replace(/^\//, '')}` : url
  const parts = /^(?:https?:\/\/[^/]*)?\/([^/?#]+)\/([^?#]*)/.exec(path)
  if (!parts) return undefined
  try {
    const [first = '', rest = ''] = parts.slice(1).map(decodeURIComponent)
    if (first !== 'qr' && first !== 'QR') return undefined
    const names = new Set([...meantBy(rest), rest.replace(/\/$/, '')])
    let asked: Asked | undefined
    // Also what was put behind the name with & alone
    const query = /[?&](.*)/s.exec(url)?.[1] ?? ''
    for (const name of names) asked = named(name, url, query, domain, asked)
    return asked ?? nameless(domain)
  } catch {
    // Percent signs that encode nothing stand for themselves.
    const literal = url.replace(/^[^?]*/, (text) => text.replaceAll('%', '%25'))
    return nameAsked(domain, literal)
  }
}

const nameless = (domain?: Domain): Asked => ({ key: '', isPreview: false, query: '', domain })

/** This name before the other one, if a code can have it. */
function named(text: string, url: string, query: string, domain?: Domain, otherwise?: Asked) {
  const isPreview = text.endsWith('+')
  const typed = isPreview ? text.slice(0, -1) : text
  if (!(domain ? THEIRS : OURS).test(typed)) return otherwise
  const name = domain && !url.startsWith('/QR/') ? typed : typed.toLowerCase()
  const key = domain ? `${domain.id}/${name}` : name
  return { key, isPreview, query, domain, otherwise }
}

/**
 * The names that a path may mean, the least likely first: a printer, or a program that makes links of texts, adds a
 * slash before the name, blanks and marks behind it, or parameters that begin with &. A name of another service may
 * end with a mark.
 */
function meantBy(typed: string): [string, string] {
  const [path = ''] = typed.replace(/^[\s/]+/, '').split('&', 1)
  let end = path.length
  while (MARK.test(path.charAt(end - 1))) end--
  return [path.slice(0, end), path]
}
const MARK = /[\s.,;:!)\]}>'"’”/]/

/** A scan gets its destination, or an answer that does not count as a scan. */
export type Decision =
  | Destination
  | { kind: 'home'; status: 302; url: string }
  | { kind: 'fallback'; status: 302; url: string }
  | { kind: 'shown'; status: 200; url?: string; hasRules: boolean }
  /** Has to be decided again once its password was entered */
  | { kind: 'locked'; status: 200 }
  | { kind: 'early'; status: 404; startsAt: number }
  | { kind: 'paused' | 'expired' | 'over'; status: 410 }
  | { kind: 'unknown'; status: 404 }
  /** Has to be decided again with the scan's number */
  | { kind: 'uncounted'; isPerson: boolean }

/** The person or program that scans. */
export type Visitor = {
  reading: ScanReading
  /** The Accept-Language header */
  languages: string | undefined
  /** Whether the visitor has entered the code's password */
  hasPassword?: boolean
  /** The number of this scan among those by persons, from 1, or of the next such scan; 'over' beyond the code's limit */
  ordinal?: number | 'over' | undefined
}

/**
 * Decides what a scan gets, at an instant in epoch milliseconds, in the order of docs/rules.md. Whether the owner pays
 * has no part in it.
 * @param target of the name that was asked for; undefined if it leads nowhere
 */
export function decide(
  target: Target | undefined,
  asked: Asked,
  visitor?: Visitor,
  now = 0,
): Decision {
  const homeUrl = asked.domain?.homeUrl
  if (!target && homeUrl) return { kind: 'home', status: 302, url: homeUrl }
  if (!target || !visitor) return { kind: 'unknown', status: 404 }
  const { destination, expiresAt, startsAt, endsAt, rules } = target
  const { reading, ordinal } = visitor
  if (target.paused) return instead(target, { kind: 'paused', status: 410 })
  if (expiresAt !== null && now > expiresAt) return { kind: 'expired', status: 410 }
  if (startsAt !== null && now < startsAt) {
    return instead(target, { kind: 'early', status: 404, startsAt })
  }
  if (endsAt !== null && now >= endsAt) return instead(target, { kind: 'over', status: 410 })
  const hasRules = rules.length > 0
  if (target.passwordHash !== null && !visitor.hasPassword) {
    return asked.isPreview
      ? { kind: 'shown', status: 200, hasRules }
      : { kind: 'locked', status: 200 }
  }
  if (target.isCounted && ordinal === undefined) {
    const isPerson = reading.attributes.class === 'person' && !asked.isPreview
    return { kind: 'uncounted', isPerson }
  }
  if (ordinal === 'over') return instead(target, { kind: 'over', status: 410 })
  if (asked.isPreview) return { kind: 'shown', status: 200, url: destination.url, hasRules }
  const elsewhere = target.isDead && target.fallback
  const main = elsewhere ? led(destination, { id: 'fallback', url: elsewhere }) : destination
  if (!hasRules) return withQuery(main, asked.query)
  const { languages } = visitor
  const variant = branchOf(rules, { ...reading, languages, query: asked.query, ordinal, at: now })
  return withQuery(variant ? led(destination, variant) : main, asked.query)
}

/** The fallback of a code that leads nowhere, if it has one. */
const instead = ({ fallback }: Target, page: Exclude<Decision, Destination>): Decision =>
  fallback === null ? page : { kind: 'fallback', status: 302, url: fallback }

const led = (
  { kind, passesQuery }: Destination,
  { id, url }: Omit<Variant, 'share'>,
): Destination => ({
  kind,
  url,
  utm: utmOf(url),
  passesQuery,
  branch: id,
})

/** The longest Location: nginx takes an answer whose head is at most 4 kB, if it is not told otherwise. */
const LOCATION_MAX = 3_072

/**
 * A destination with the parameters of the scanned link, if the code passes them on. Its own come first, and no
 * other has a name of theirs: what the owner wrote cannot be changed by a link. What would be too long is left out.
 * `URL` encodes what a header cannot have (RFC 9110 §5.5).
 */
function withQuery(destination: Destination, query: string): Destination {
  if (!destination.passesQuery || query === '' || query.length > LOCATION_MAX) return destination
  const url = new URL(destination.url)
  const own = new Set(url.searchParams.keys())
  const isNew = (pair: string) =>
    [...new URLSearchParams(pair).keys()].every((key) => !own.has(key))
  const passed = query.split('&').filter((pair) => pair !== '' && isNew(pair))
  if (passed.length === 0) return destination
  url.search = [url.search.slice(1), ...passed].filter(Boolean).join('&')
  const { href } = url
  return href.length > LOCATION_MAX ? destination : { ...destination, url: href, utm: utmOf(href) }
}
