import type { IncomingHttpHeaders } from 'node:http'
import { type DeviceName, deviceNames } from '#contract/analytics/figure-values.ts'
import { orMade } from '../../or-made.ts'
import { OTHER } from './rule.ts'

/** A request's headers about the machine, beside its User-Agent. */
export type Hints = {
  device?: DeviceName | undefined
  os?: string | undefined
  /** Tells one from the other; empty where a request gives no hint */
  key: string
}

/** A scan reads them all, so each is made once. */
const known = new Map<string, Hints>()

function hints(device: DeviceName | undefined, os?: string): Hints {
  const key = device || os ? `${device ?? ''},${os ?? ''}` : ''
  return orMade(known, key, () => ({ device, os, key }))
}

export const NO_HINTS = hints(undefined)

type ByMobile = { '?0': Hints; '?1': Hints; unsaid: Hints }

const byMobile = (device: DeviceName | undefined, os: string): ByMobile => ({
  '?0': hints(device, os),
  '?1': hints('Mobile', os),
  unsaid: hints(undefined, os),
})

/**
 * By the names of https://wicg.github.io/ua-client-hints/#sec-ch-ua-platform: what a browser that is
 * not mobile runs on. Chromium sends both of these headers unasked.
 */
const platforms = new Map<unknown, ByMobile>([
  ['"Android"', byMobile('Tablet', 'Android')],
  ['"Chrome OS"', byMobile('Desktop', 'Chrome OS')],
  ['"Chromium OS"', byMobile('Desktop', 'Chrome OS')],
  ['"iOS"', byMobile(undefined, 'iOS')],
  ['"Linux"', byMobile('Desktop', 'Linux')],
  ['"macOS"', byMobile('Desktop', 'macOS')],
  ['"Windows"', byMobile('Desktop', 'Windows')],
])
const MOBILE = hints('Mobile')

/** Cloudflare's CF-Device-Type */
const types = new Map<unknown, Hints>([
  ['mobile', MOBILE],
  ['tablet', hints('Tablet')],
  ['desktop', hints('Desktop')],
])

/** CloudFront's headers about the viewer. More than one may be true: a tablet is mobile too. */
const viewers: [header: string, hints: Hints][] = [
  ['cloudfront-is-smarttv-viewer', hints('TV')],
  ['cloudfront-is-tablet-viewer', hints('Tablet')],
  ['cloudfront-is-mobile-viewer', MOBILE],
  ['cloudfront-is-desktop-viewer', hints('Desktop')],
]

const hintedSystems = new Set([...platforms.values()].map(({ unsaid }) => unsaid.os))
const hintedDevices = new Set<string>(deviceNames.filter((name) => name !== OTHER))

/** The most that a request can have hinted, if this is what came of it. */
export function possibleHints(device: string | null, os: string | null): Hints {
  const isHinted = device !== null && hintedDevices.has(device)
  return hints(
    isHinted ? (device as DeviceName) : undefined,
    os !== null && hintedSystems.has(os) ? os : undefined,
  )
}

/**
 * A browser's client hints, else those of Cloudflare or CloudFront. They need no trusted proxy: like
 * the User-Agent they are only about the visitor's own scan.
 */
export function hintsOf(headers: IncomingHttpHeaders): Hints {
  const mobile = headers['sec-ch-ua-mobile']
  const platform = platforms.get(headers['sec-ch-ua-platform'])
  if (platform) return platform[mobile === '?0' || mobile === '?1' ? mobile : 'unsaid']
  if (mobile === '?1') return MOBILE
  return types.get(headers['cf-device-type']) ?? hintsOfCloudFront(headers)
}

function hintsOfCloudFront(headers: IncomingHttpHeaders): Hints {
  // An origin request policy lists all four, or none.
  if (headers['cloudfront-is-mobile-viewer'] === undefined) return NO_HINTS
  return viewers.find(([header]) => headers[header] === 'true')?.[1] ?? NO_HINTS
}
