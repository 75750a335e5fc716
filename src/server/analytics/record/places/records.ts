import { countryOf, nameOf, type Place } from './names.ts'

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

/** A flat text, or the English one of several languages, or the first of them. */
function nameIn(value: unknown): string | null {
  const names = fieldsOf(fieldsOf(value).names)
  return nameOf(value) ?? nameOf(names.en ?? Object.values(names)[0])
}
