import type { Location } from '../../database/connect.ts'
import type { Scan } from '../store/scan.ts'
import { newScanId } from '../store/scan-ids.ts'
import { writeScans } from '../store/write-scans.ts'
import type { Visit } from '../types.ts'
import { visitClassifier, visitorText } from './classified-visit.ts'
import type { Places } from './places/places.ts'

/** A visit to a code, at an instant in the past (epoch milliseconds). */
export type PastScan = { codeId: string; at: number; visit: Visit; utm?: string | null }

/** Writes made-up visits into the ledger, judged and committed as those of the redirect are. */
export async function writeVisits(location: Location, visits: PastScan[], places: Places) {
  const { read, meets } = visitClassifier({ ...places, saltOf: (day) => `demo ${day}` })
  const scans = visits.map(({ codeId, at, visit, utm = null }): Scan => {
    const { attributes, visitor } = meets(read(visit, at), { utm })
    return {
      id: newScanId(at),
      code_id: codeId,
      at,
      ...attributes,
      visitor: visitor && visitorText(visitor),
    }
  })
  await writeScans(location, scans)
}
