import type { Location } from '../../../database/connect.ts'
import { visitorText } from '../../record/journal/kind.ts'
import type { Places } from '../../record/places/places.ts'
import { profiler } from '../../record/profiles.ts'
import type { Visit } from '../../record/visit.ts'
import { newScanId, type Scan } from './scan.ts'
import { writeScans } from './write-scans.ts'

/** Somebody's visit to a code, at an instant in the past (epoch milliseconds). */
export type PastScan = { codeId: string; at: number; visit: Visit }

/** Writes made-up visits into the ledger, judged and committed as those of the redirect are. */
export async function writeVisits(
  location: Location,
  visits: PastScan[],
  places: Places,
): Promise<void> {
  const seenBy = profiler({ ...places, saltOf: (day) => `demo ${day}` })
  const scans = visits.map(({ codeId, at, visit }): Scan => {
    const { kind, visitor } = seenBy(visit, at)
    return {
      ...{ id: newScanId(at), code_id: codeId, at, ...kind },
      visitor: visitor && visitorText(visitor),
    }
  })
  await writeScans(location, scans)
}
