import type { Facet } from '#contract/analytics/figure-values.ts'

const names = {
  country: new Intl.DisplayNames('en', { type: 'region' }),
  language: new Intl.DisplayNames('en', { type: 'language' }),
}

/** What people read for a value: the English name of a country or a language, else the value itself. */
export function labelOf(facet: Facet, value: string): string {
  if (facet !== 'country' && facet !== 'language') return value
  try {
    return names[facet].of(value) ?? value
  } catch {
    return value
  }
}
