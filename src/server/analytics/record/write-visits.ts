import type { Location } from '../../database/connect.ts'
import type { Visit } from '../../http/policy/visit.ts'
import type { Scan } from '../store/ledger/scan.ts'
import { newScanId } from '../store/ledger/scan-ids.ts'
import { visitClassifier, visitorText } from './classified-visit.ts'
import { foldScanOf, ScanKinds } from './folding/fold-scan.ts'
import { FoldingLedger, openTables } from './folding/folding-ledger.ts'
import type { Places } from './places/places.ts'

/** A visit to a code, at an instant in the past (epoch milliseconds). */
export type PastScan = { codeId: string; at: number; visit: Visit; utm?: string | null }

/** Writes made-up visits into the ledger, judged and committed as those of the redirect are. */
export async function writeVisits(
  location: Location,
  visits: PastScan[],
  places: Places,
): Promise<void> {
  const { read, meets } = visitClassifier({ ...places, saltOf: (day) => `demo ${day}` })
  const scans = visits.map(({ codeId, at, visit, utm = null }): Scan => {
    const { attributes, visitor } = meets(read(visit, at), utm)
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

const SCANS_A_TRANSACTION = 5_000

/**
 * Writes scans of any time into ledger and rollups, as the folding thread does. A scan whose id is
 * there changes nothing.
 * @param options.agentsMax distinct User-Agents that the database may have
 * @throws what the engine says, also if it refuses a scan
 */
export async function writeScans(
  location: Location,
  scans: Scan[],
  options: { agentsMax?: number } = {},
): Promise<void> {
  const kinds = new ScanKinds()
  const ledger = new FoldingLedger({
    ...options,
    open: () => openTables(location),
    keepRefused: ([first]) => {
      throw new Error(`the database refuses the scan ${first?.id}`)
    },
  })
  try {
    for (let from = 0; from < scans.length; from += SCANS_A_TRANSACTION) {
      const part = scans.slice(from, from + SCANS_A_TRANSACTION)
      await ledger.fold(part.map((scan) => foldScanOf(scan, kinds)))
    }
  } finally {
    ledger.close()
  }
}
