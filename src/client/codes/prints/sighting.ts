import type { QrCode } from '#contract/codes/codes.ts'
import { linkOrigin } from '#contract/links.ts'
import type { CheckedPrint, PrintReading } from '#contract/pictures/scan-checks.ts'

type Known = Pick<QrCode, 'id' | 'name' | 'url' | 'domain' | 'vanityUrl' | 'shortCode'>

/** Which code a photo shows. `ours` is a link of this service, of which only the server knows whose it is. */
export type Sighting =
  | { kind: 'this' }
  | { kind: 'own'; name: string; url: string; isInBin: boolean }
  | { kind: 'ours' }
  | { kind: 'elsewhere'; text: string }

const LINK = /^\/qr\/([\w-]{1,50})\/?$/i

/** The path of a link of this service, also in capitals; null for any other text. */
export function pathIn(text: string, hostUrl: string): string | null {
  const url = URL.parse(text.trim())
  if (!url || url.origin !== URL.parse(hostUrl)?.origin) return null
  return LINK.exec(url.pathname)?.[1] ?? null
}

type About = { code: Known; codes: readonly Known[]; hostUrl: string }

/** Chooses among several codes in one photo: first the asked one, then another of the owner's. */
export function sightingOf(
  texts: readonly string[],
  about: About,
): { sighting: Sighting; reading: PrintReading } | null {
  const seen = texts.map((text) => ({ text, ...seenIn(text, about) }))
  const order = ['this', 'own', 'ours', 'elsewhere'] as const
  for (const kind of order) {
    const found = seen.find(({ sighting }) => sighting.kind === kind)
    if (found) return { sighting: found.sighting, reading: found.reading }
  }
  return null
}

function seenIn(
  text: string,
  { code, codes, hostUrl }: About,
): { sighting: Sighting; reading: PrintReading } {
  const origins = new Set([code, ...codes].map(({ domain }) => linkOrigin(domain, hostUrl)))
  const path = [hostUrl, ...origins]
    .map((origin) => pathIn(text, origin))
    .find((found) => found !== null)
  if (path === undefined) {
    return { sighting: { kind: 'elsewhere', text }, reading: { found: 'other-address' } }
  }
  const reading: PrintReading = { found: 'link', path }
  if (isAt(code, path)) return { sighting: { kind: 'this' }, reading }
  const own = codes.find((one) => isAt(one, path))
  if (!own) return { sighting: { kind: 'ours' }, reading }
  return { sighting: { kind: 'own', name: own.name, url: own.url, isInBin: false }, reading }
}

const isAt = ({ vanityUrl, shortCode }: Known, path: string) =>
  [vanityUrl, shortCode].some((own) => own?.toLowerCase() === path.toLowerCase())

/** Adds the server's knowledge of a link: former custom URLs, and codes in the bin. */
export function knownBetter(
  sighting: Sighting,
  code: Known,
  checked: CheckedPrint | undefined,
): Sighting {
  if (!checked || sighting.kind === 'elsewhere') return sighting
  const { shown } = checked
  if (!shown) return { kind: 'ours' }
  if (shown.id === code.id) return { kind: 'this' }
  return { kind: 'own', name: shown.name, url: shown.url, isInBin: shown.isInBin }
}
