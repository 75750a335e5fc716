/**
 * A visitor's place, as far as we know. `country` is ISO 3166-1 alpha-2, the others are names; some
 * CDNs send only the code of a region.
 */
export type Place = { country: string | null; region: string | null; city: string | null }

export const NOWHERE: Place = Object.freeze({ country: null, region: null, city: null })

/** The longest place name in the world has 85 letters. */
const NAME_MAX = 100

/** ISO 3166-1 alpha-2, and XK, which all sources write for Kosovo. */
const COUNTRIES = new Set(
  `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS
  BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG
  EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR
  HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR
  LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG
  NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE
  SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA
  UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW`.split(/\s+/),
)

/** The country with this code, in whatever case; null for anything else. */
export function countryOf(value: unknown): string | null {
  const code = typeof value === 'string' ? value.trim().toUpperCase() : ''
  return COUNTRIES.has(code) ? code : null
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

/** A flat text, or the English one of several languages, or the first of them. */
function nameIn(value: unknown): string | null {
  const names = fieldsOf(fieldsOf(value).names)
  return nameOf(value) ?? nameOf(names.en ?? Object.values(names)[0])
}
