import { spilledColumns } from '../../src/server/analytics/record/former-spill.ts'
import type { Scan, ScanAttributes } from '../../src/server/analytics/store/scan.ts'
import { newScanId } from '../../src/server/analytics/store/scan-ids.ts'
import { writeScans } from '../../src/server/analytics/store/write-scans.ts'
import type { Location } from '../../src/server/database/connect.ts'

/** A scan at an instant in epoch milliseconds. The default is a person from Germany with a phone. */
export type PastScan = Pick<Scan, 'code_id' | 'at'> & Partial<Scan>

/** A person from Germany with a phone. */
export const PHONE: ScanAttributes = {
  class: 'person',
  rule: '1:test',
  country: 'DE',
  region: null,
  city: null,
  device: 'Mobile',
  os: 'iOS',
  browser: 'Safari',
  referrer: null,
  language: 'de',
  agent: 'agent',
  utm: null,
  branch: null,
}

/** Writes scans of any time into ledger and rollups, as the folding thread does. */
export function recordPast(location: Location, scans: PastScan[]): Promise<void> {
  return writeScans(location, scans.map(scanFrom))
}

/** A whole scan, with the default's values where the test gives none. */
export const scanFrom = (scan: PastScan): Scan => ({
  id: newScanId(scan.at),
  ...PHONE,
  visitor: 'v',
  ...scan,
})

/** A scan as versions before the journal spilled it into a file: the JSON array of its values. */
export const spilledLine = (scan: Scan) =>
  JSON.stringify(spilledColumns.map((column) => scan[column]))
