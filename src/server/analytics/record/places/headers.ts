import type { IncomingHttpHeaders } from 'node:http'
import type { GeoHeaders } from '../../../config.ts'
import { countryOf, NOWHERE, nameOf, type Place } from './place.ts'

/**
 * In which headers each vendor says where a visitor is:
 * - bunny: on every request. https://docs.bunny.net/cdn/request-headers-to-origin
 * - cloudflare: the country by "IP Geolocation", all three by the managed transform "Add visitor
 *   location headers", in UTF-8. https://developers.cloudflare.com/rules/transform/managed-transforms/reference/
 * - cloudfront: those that the origin request policy lists; other than ASCII is percent-encoded.
 *   https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/adding-cloudfront-headers.html
 * - fastly: none of its own; these names are those of its example, which a service's VCL must set.
 *   https://www.fastly.com/documentation/solutions/examples/decorating-origin-requests-with-geoip
 * - vercel: on every request, the city percent-encoded. https://vercel.com/docs/headers/request-headers
 */
const names: Record<GeoHeaders, { country: string; region: string; city?: string }> = {
  bunny: { country: 'cdn-requestcountrycode', region: 'cdn-requeststatecode' },
  cloudflare: { country: 'cf-ipcountry', region: 'cf-region', city: 'cf-ipcity' },
  cloudfront: {
    country: 'cloudfront-viewer-country',
    region: 'cloudfront-viewer-country-region-name',
    city: 'cloudfront-viewer-city',
  },
  fastly: { country: 'client-geo-country', region: 'client-geo-region', city: 'client-geo-city' },
  vercel: {
    country: 'x-vercel-ip-country',
    region: 'x-vercel-ip-country-region',
    city: 'x-vercel-ip-city',
  },
}

/** Cloudflare's codes for a visitor of no known country, and for one who comes through Tor. */
const UNKNOWN = /^(?:XX|T1)$/i

/** The texts of a vendor's headers: the country's, the region's and the city's, as they were sent. */
export function textsIn(vendor: GeoHeaders, headers: IncomingHttpHeaders) {
  const { country, region, city } = names[vendor]
  return [headers[country], headers[region], city && headers[city]] as const
}

/** The place in these texts; null if they name no country, so that a database may know it. */
export function placeFrom([code, region, city]: ReturnType<typeof textsIn>): Place | null {
  if (typeof code === 'string' && UNKNOWN.test(code)) return NOWHERE
  const country = countryOf(code)
  if (!country) return null
  return { country, region: nameOf(decoded(region)), city: nameOf(decoded(city)) }
}

/** Node reads the bytes of a header as Latin-1. */
function decoded(text: unknown): string | null {
  if (typeof text !== 'string') return null
  const utf8 = Buffer.from(text, 'latin1').toString()
  try {
    return decodeURIComponent(utf8.includes('\uFFFD') ? text : utf8)
  } catch {
    return null
  }
}
