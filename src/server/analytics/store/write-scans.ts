import { batchesOf } from '../../batches.ts'
import type { Location } from '../../database/connect.ts'
import type { LedgerDeps } from './fold/folding-ledger.ts'
import { foldScanOf, ScanKinds } from './fold-scan.ts'
import { openInbox } from './open-inbox.ts'
import type { Scan } from './scan.ts'

const SCANS_A_TRANSACTION = 5_000

/**
 * Writes scans of any time into ledger and rollups, as the folding thread does. A scan whose id is
 * there changes nothing.
 * @throws what the engine says, also if it refuses a scan that is not kept
 */
export async function writeScans(
  location: Location,
  scans: Scan[],
  options: Partial<LedgerDeps> = {},
): Promise<void> {
  const kinds = new ScanKinds()
  const ledger = await openInbox(location, {
    keepRefused: ([first]) => {
      throw new Error(`the database refuses the scan ${first?.id}`)
    },
    ...options,
  })
  try {
    for (const part of batchesOf(scans, SCANS_A_TRANSACTION)) {
      await ledger.add(part.map((scan) => foldScanOf(scan, kinds)))
    }
  } finally {
    ledger.close()
  }
}
