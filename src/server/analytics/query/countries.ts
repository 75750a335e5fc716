const countryNames = new Intl.DisplayNames('en', { type: 'region' })

/** A country's name in English; an unknown code stays as it is. */
export function countryName(code: string): string {
  try {
    return countryNames.of(code) ?? code
  } catch {
    return code
  }
}
