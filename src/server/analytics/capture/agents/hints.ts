import type { IncomingHttpHeaders } from 'node:http'
import type { DeviceName } from './rule.ts'

/** What a request says about the machine beside its User-Agent. */
export type Hints = { device?: DeviceName; os?: string }

/** The names of https://wicg.github.io/ua-client-hints/#sec-ch-ua-platform, as we and Bowser say them. */
const platforms: Record<string, string> = {
  '"Android"': 'Android',
  '"Chrome OS"': 'Chrome OS',
  '"Chromium OS"': 'Chrome OS',
  '"iOS"': 'iOS',
  '"Linux"': 'Linux',
  '"macOS"': 'macOS',
  '"Windows"': 'Windows',
}
const DESKS = new Set(['Chrome OS', 'Linux', 'macOS', 'Windows'])

/** What CloudFront says of the viewer. More than one may be true: a tablet is mobile too. */
const viewers: [header: string, device: DeviceName][] = [
  ['cloudfront-is-smarttv-viewer', 'TV'],
  ['cloudfront-is-tablet-viewer', 'Tablet'],
  ['cloudfront-is-mobile-viewer', 'Mobile'],
  ['cloudfront-is-desktop-viewer', 'Desktop'],
]
/** Cloudflare's CF-Device-Type */
const types: Record<string, DeviceName> = { mobile: 'Mobile', tablet: 'Tablet', desktop: 'Desktop' }

/**
 * The client hints that browsers send unasked, else a CDN's. Nobody need be trusted for these: like
 * the User-Agent they tell only of the visitor's own scan.
 */
export function hintsOf(headers: IncomingHttpHeaders): Hints {
  const os = platforms[String(headers['sec-ch-ua-platform'])]
  return { device: deviceByClient(headers['sec-ch-ua-mobile'], os) ?? deviceByCdn(headers), os }
}

function deviceByClient(mobile: unknown, os: string | undefined): DeviceName | undefined {
  if (mobile === '?1') return 'Mobile'
  if (mobile !== '?0' || !os) return undefined
  if (DESKS.has(os)) return 'Desktop'
  return os === 'Android' ? 'Tablet' : undefined
}

function deviceByCdn(headers: IncomingHttpHeaders): DeviceName | undefined {
  const viewer = viewers.find(([header]) => headers[header] === 'true')
  return viewer?.[1] ?? types[String(headers['cf-device-type'])]
}
