import { NOW_MINUTES, type Now } from '#contract/analytics/figures.ts'
import { MINUTE_MS } from '#contract/time.ts'
import { iso } from '../../dates.ts'
import type { AccountScans, SeenScan, Wanted } from '../store/scans-store.ts'
import type { Series } from './daily-breakdown.ts'
import { labelOf } from './labels.ts'

/** A scan as a page shows it */
export const seenScan = ({ at, city, country, device, os }: SeenScan) => ({
  at: iso(at),
  place: { city, country: country && labelOf('country', country) },
  device,
  os,
})

/**
 * The scans of these codes in each of the last minutes, and the newest ones. A minute that was not looked
 * at to its beginning is null.
 */
export async function scansNow(
  { recent }: Pick<AccountScans, 'recent'>,
  codes: Series[],
  at: number,
  wanted: Wanted,
): Promise<Now> {
  // Whole minutes, the last of which is under way
  const from = (Math.floor(at / MINUTE_MS) - NOW_MINUTES + 1) * MINUTE_MS
  const nameOf = new Map(codes.map(({ id, name }) => [id, name]))
  const { since, minutes, scans } = await recent([...nameOf.keys()], from, wanted)
  return {
    at: iso(at),
    minutes: Array.from({ length: NOW_MINUTES }, (_, minute) =>
      from + minute * MINUTE_MS < since ? null : (minutes.get(minute) ?? 0),
    ),
    scans: scans.map((scan) => ({
      id: scan.id,
      code: { id: scan.code_id, name: nameOf.get(scan.code_id) ?? '' },
      ...seenScan(scan),
      branch: scan.branch,
    })),
  }
}
