import { NOW_MINUTES, type Now } from '#contract/analytics/figures.ts'
import { MINUTE_MS } from '#contract/time.ts'
import { countryName } from '../query/countries.ts'
import type { Series } from '../query/series.ts'
import { firstMinute, type ScansNow } from './now-store.ts'

/** The answer of 'now'. A minute that was not looked at to its beginning is not known. */
export function presentNow({ since, minutes, scans }: ScansNow, codes: Series[], at: number): Now {
  const nameOf = new Map(codes.map(({ id, name }) => [id, name]))
  const from = firstMinute(at)
  return {
    at: new Date(at).toISOString(),
    minutes: Array.from({ length: NOW_MINUTES }, (_, minute) =>
      from + minute * MINUTE_MS < since ? null : (minutes.get(minute) ?? 0),
    ),
    scans: scans.map(({ id, code_id, at: scannedAt, city, country, device, os }) => ({
      ...{ id, at: new Date(scannedAt).toISOString() },
      code: { id: code_id, name: nameOf.get(code_id) ?? '' },
      place: { city, country: country && countryName(country) },
      ...{ device, os },
    })),
  }
}
