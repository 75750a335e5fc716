import { createRequire } from 'node:module'
import { type CityResponse, type CountryResponse, open } from 'maxmind'

/** Where an address is, as far as the database knows. `country` is ISO 3166-1 alpha-2. */
export type Place = { country: string | null; region: string | null; city: string | null }

export type PlaceOf = (address: string) => Place

/** An IPv4 address as a socket for both families writes it (RFC 4291 §2.5.5.2). */
const MAPPED = /^::ffff:(?=\d+\.)/i

const NOWHERE: Place = { country: null, region: null, city: null }

type Packaged = { country_code?: string }
type Answer = Partial<CountryResponse & CityResponse> & Packaged

/** Opens a database in MaxMind's format, by default the packaged one, which knows only countries. */
export async function openPlaces(file: string | undefined): Promise<PlaceOf> {
  const packaged = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'
  const path = file ?? createRequire(import.meta.url).resolve(packaged)
  const reader = await open<never>(path)
  return (address) => {
    const answer = lookUp(() => reader.get(address.replace(MAPPED, '')) as Answer | null)
    if (!answer) return NOWHERE
    return {
      country: answer.country?.iso_code ?? answer.country_code ?? null,
      region: answer.subdivisions?.[0]?.names.en ?? null,
      city: answer.city?.names.en ?? null,
    }
  }
}

/** The reader throws if the text is not an address; a scan must not fail for that. */
function lookUp(look: () => Answer | null): Answer | null {
  try {
    return look()
  } catch {
    return null
  }
}
