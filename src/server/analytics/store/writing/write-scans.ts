import type { Location } from '../../../database/connect.ts'
import type { Scan } from '../ledger/scan.ts'
import { foldScanOf, ScanKinds } from './fold-scan.ts'
import { FoldingLedger, openTables } from './folding-ledger.ts'

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
