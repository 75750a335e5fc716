import { UNKNOWN, type UtmParameter, utmParameters } from './figure-values.ts'

/** Characters that are kept of a value. */
const VALUE_MAX = 100

/**
 * The UTM parameters of a destination as one word, which all of its scans share: the values in the order of
 * `utmParameters`, a line each, empty where it has none; null without any.
 */
export function utmOf(url: string): string | null {
  if (!url.includes('utm_')) return null
  const query = URL.parse(url)?.searchParams
  const values = utmParameters.map((name) => kept(query?.get(name) ?? ''))
  return values.some(Boolean) ? values.join('\n') : null
}

const kept = (value: string) =>
  value
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, VALUE_MAX)
    .toWellFormed()

/** The values of a word in the order of `utmParameters`; undefined for those that it lacks. */
export function utmValues(word: string | null): (string | undefined)[] {
  // The rest of many words in a rollup is not a word, and has one line.
  const lines = word?.split('\n') ?? []
  return utmParameters.map((_, index) => (lines.length > 1 && lines[index]) || undefined)
}

export type UtmFilters = Partial<Record<UtmParameter, string>>

/** Whether a word has what all of these filters ask for, in capitals or none. */
export function hasUtm(word: string | null, filters: UtmFilters): boolean {
  const values = utmValues(word)
  return utmParameters.every((name, index) => {
    const asked = filters[name]
    const value = values[index]?.toLowerCase()
    return asked === undefined || value === (asked === UNKNOWN ? undefined : folded(asked))
  })
}

const folded = (asked: string) => kept(asked).toLowerCase()
