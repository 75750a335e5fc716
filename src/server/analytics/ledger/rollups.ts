import type { Scan } from './scan.ts'

/** The facets of scans, each named like its column in the ledger. */
export const facetNames = [
  'country',
  'device',
  'os',
  'browser',
  'referrer',
  'language',
] as const satisfies (keyof Scan)[]
