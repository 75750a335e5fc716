import { Ledger } from '../../src/server/analytics/ledger/ledger.ts'
import { openLedger } from '../../src/server/analytics/ledger/ledger-connections.ts'
import { lineOf, newScanId, type Scan } from '../../src/server/analytics/ledger/scan.ts'
import type { Location } from '../../src/server/database/connect.ts'

/** A scan at an instant in epoch milliseconds. The default is a person from Germany with a phone. */
export type PastScan = Pick<Scan, 'code_id' | 'at'> & Partial<Scan>

/** Writes scans of any time into ledger and rollups, as the recorder does. */
export async function recordPast(location: Location, scans: PastScan[]): Promise<void> {
  const ledger = new Ledger(openLedger(location))
  await ledger.commit(scans.map(scanFrom))
  ledger.close()
}

/** A scan as the line that the recorder's thread and the spill file take. */
export const pastLine = (scan: PastScan) => lineOf(scanFrom(scan))

/** A whole scan, with the default's values where the test gives none. */
export function scanFrom(scan: PastScan): Scan {
  return {
    ...{ id: newScanId(scan.at), class: 'person', rule: '1:test' },
    ...{ country: 'DE', region: null, city: null },
    ...{ device: 'Mobile', os: 'iOS', browser: 'Safari' },
    ...{ referrer: null, language: 'de', agent: 'agent', visitor: 'v' },
    ...scan,
  }
}
