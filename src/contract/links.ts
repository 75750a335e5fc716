import { CONTROL, URL_MAX } from './codes/code-values.ts'

/** Blanks, and characters that only format text (Unicode category Cf), which are copied along unseen */
const UNSEEN = /[\s\p{Cf}]/u

/** A pasted link without the unseen characters at its ends. */
function withoutUnseen(pasted: string): string {
  const characters = [...pasted]
  const isSeen = (character: string) => !UNSEEN.test(character)
  const first = characters.findIndex(isSeen)
  return characters.slice(first, characters.findLastIndex(isSeen) + 1).join('')
}

/**
 * The text as an address that a code may lead to: http or https, without credentials, at most 2,048
 * characters. Null for any other text. The address is `new URL(text).href`, which is ASCII and safe in
 * a Location header (RFC 9110 §10.2.2).
 */
export function destinationOf(pasted: string): string | null {
  const address = addressOf(pasted)
  return address !== null && address.length <= URL_MAX ? address : null
}

/** The same, however long it is */
function addressOf(pasted: string): string | null {
  const text = withoutUnseen(pasted)
  const url = URL.parse(text)
  if (!url || !/^https?:\/\//i.test(text) || CONTROL.test(text)) return null
  return url.username || url.password ? null : url.href
}

const INVALID_URL = 'Must be a valid URL'
export const URL_TOO_LONG = `URL must be at most ${URL_MAX} characters`
/** Valid URLs that other codes hold */
const OTHER_KIND = /^(mailto|tel|sms|smsto|geo|wifi):/i

/** The reason why a text cannot be a destination */
export function destinationProblem(pasted: string): string {
  if (addressOf(pasted) !== null) return URL_TOO_LONG
  if (destinationOf(completed(pasted)) !== null) return `${INVALID_URL}: add https://`
  return OTHER_KIND.test(withoutUnseen(pasted))
    ? `${INVALID_URL} that starts with http:// or https://`
    : INVALID_URL
}

/** Begins with a host that has a dot in it: people leave out the https:// that browsers hide. */
const HOST = /^[^\s/?#@:.]+\.[^\s/?#@:]+(:\d+)?([/?#]|$)/

/** A typed link with the https:// that its person left out. */
export function completed(typed: string): string {
  const text = withoutUnseen(typed)
  return HOST.test(text) ? `https://${text}` : text
}

/** Where a code's links begin: its domain, by the scheme of this server, or this server. */
export const linkOrigin = (domain: string | null, hostUrl: string) =>
  domain === null ? hostUrl : hostUrl.replace(/\/\/.*/, `//${domain}`)

/** The link of a name of a code. */
export const shortLink = (name: string, domain: string | null, hostUrl: string) =>
  `${linkOrigin(domain, hostUrl)}/qr/${name}`

/** The devices that can open a link: only this device, only devices in this network, or anyone. */
export type Reach = 'device' | 'network' | 'anyone'

const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0)$/
// RFC 1918, link-local (RFC 3927, 4291), unique local IPv6 (RFC 4193), mDNS (RFC 6762).
const PRIVATE_V4 = /^(10|192\.168|172\.(1[6-9]|2\d|3[01])|169\.254)(\.\d{1,3}){2,3}$/
const PRIVATE_V6 = /^\[(f[cd]|fe[89ab])/
const LOCAL_NAME = /(\.local|\.internal|\.lan)$/

/**
 * Returns which devices can open links of this address. A code with a private one is useless elsewhere,
 * which its owner should know before printing.
 */
export function reachOf(hostUrl: string): Reach {
  const host = URL.parse(hostUrl)?.hostname.toLowerCase() ?? ''
  if (LOOPBACK.test(host)) return 'device'
  const isPrivate = PRIVATE_V4.test(host) || PRIVATE_V6.test(host) || LOCAL_NAME.test(host)
  return isPrivate ? 'network' : 'anyone'
}
