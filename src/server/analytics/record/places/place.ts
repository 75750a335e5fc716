import type { IncomingHttpHeaders } from 'node:http'
import { countries } from '#contract/countries.ts'
import type { GeoHeaders } from '../../../config.ts'

/**
 * A visitor's place, as far as we know. `country` is ISO 3166-1 alpha-2, the others are names; some
 * CDNs send only the code of a region.
 */
export type Place = { country: string | null; region: string | null; city: string | null }

export const NOWHERE: Place = Object.freeze({ country: null, region: null, city: null })

/** The longest place name in the world has 85 letters. */
const NAME_MAX = 100

/** The country with this code, in whatever case; null for anything else. */
export function countryOf(value: unknown): string | null {
  const code = typeof value === 'string' ? value.trim().toUpperCase() : ''
  return countries.has(code) ? code : null
}

/** Texts of sources that know no name; a name has a letter or a digit. */
const NO_NAME = /^(?:no region|unknown|[^\p{L}\p{N}]*)$/iu
/** Control characters, and others that cannot be seen. */
const UNSEEN = /\p{C}/u

/** The name of a region or a city; null for what is none. */
export function nameOf(value: unknown): string | null {
  const name = typeof value === 'string' ? value.trim() : ''
  return name.length > NAME_MAX || NO_NAME.test(name) || UNSEEN.test(name) ? null : name
}

type Fields = Record<string, unknown>

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}

/**
 * The place in a database's record. MaxMind's records nest names in languages
 * (https://dev.maxmind.com/geoip/docs/databases/city-and-country); those of the npm packages of
 * ip-location-db (https://github.com/sapics/ip-location-db) and of IPinfo are flat texts.
 */
export function placeIn(record: unknown): Place {
  const { country, country_code, subdivisions, state1, region, city } = fieldsOf(record)
  return {
    country: countryOf(fieldsOf(country).iso_code ?? country_code ?? country),
    region: nameIn(fieldsOf(subdivisions)[0] ?? state1 ?? region),
    city: nameIn(city),
  }
}

/** The fields of regions, as a file has them: the length of each stands before it (https://maxmind.github.io/MaxMind-DB/). */
export const regionKeys = ['\x4csubdivisions', '\x46state1', '\x46region']

/** A flat text, or the English one of several languages, or the first of them. */
function nameIn(value: unknown): string | null {
  const names = fieldsOf(fieldsOf(value).names)
  return nameOf(value) ?? nameOf(names.en ?? Object.values(names)[0])
}

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
const headerNames: Record<GeoHeaders, { country: string; region: string; city?: string }> = {
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
  const { country, region, city } = headerNames[vendor]
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
