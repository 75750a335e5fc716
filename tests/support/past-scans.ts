import { Ledger } from '../../src/server/analytics/ledger/ledger.ts'
import { openLedger } from '../../src/server/analytics/ledger/ledger-connections.ts'
import { newScanId, type Scan } from '../../src/server/analytics/ledger/scan.ts'
import type { Location } from '../../src/server/database/connect.ts'

/** A scan at an instant in epoch milliseconds, of a person from Germany with a phone unless told otherwise. */
export type PastScan = {
  codeId: string
  at: number
  scanClass?: Scan[3]
  country?: string | null
  device?: string | null
  visitor?: string
}

/** Writes scans of any time into ledger and rollups, as the recorder does. */
export async function recordPast(location: Location, scans: PastScan[]): Promise<void> {
  const ledger = new Ledger(openLedger(location))
  await ledger.commit(scans.map(lineOf))
  ledger.close()
}

function lineOf(scan: PastScan): Scan {
  const {
    codeId,
    at,
    scanClass = 'person',
    country = 'DE',
    device = 'Mobile',
    visitor = 'v',
  } = scan
  const place = [country, null, null] as const
  return [
    newScanId(at),
    codeId,
    at,
    scanClass,
    '1:test',
    ...place,
    device,
    'iOS',
    'Safari',
    null,
    'de',
    'agent',
    visitor,
  ]
}
