import type { ScanClass } from '#contract/analytics/figure-values.ts'

/** All that the ledger keeps of a visit but its code, instant and visitor: many scans share it. */
export type ScanAttributes = {
  class: ScanClass
  rule: string
  country: string | null
  region: string | null
  city: string | null
  device: string | null
  os: string | null
  browser: string | null
  referrer: string | null
  language: string | null
  agent: string
  /** The UTM parameters of the destination that it met (contract/analytics/utm.ts) */
  utm: string | null
}

/** The order of the texts in a KIND record. A journal of an older version follows it too: only append. */
export const attributeNames = [
  'class',
  'rule',
  'country',
  'region',
  'city',
  'device',
  'os',
  'browser',
  'referrer',
  'language',
  'agent',
  'utm',
] as const satisfies readonly (keyof ScanAttributes)[]

/** The columns that rows of scans are handed over with */
export type ScanColumn = 'code_id' | Exclude<keyof ScanAttributes, 'agent'>

/**
 * One hit on a code, `at` in epoch milliseconds. The id is made before the first attempt to write,
 * so that a commit whose outcome is unknown can be repeated.
 */
export type Scan = ScanAttributes & {
  id: string
  code_id: string
  at: number
  visitor: string | null
}

/** The columns that rules read from an agent: they may be read again. */
export type Reading = Pick<ScanAttributes, 'class' | 'rule' | 'device' | 'os' | 'browser'>

/** The facets of scans, each named like its column in the ledger. */
export const facetNames = [
  'browser',
  'country',
  'device',
  'language',
  'os',
  'referrer',
  'utm',
] as const satisfies (keyof ScanAttributes)[]

/**
 * Days for which we keep which visitor was seen where: a scan may lie that long in the journal of a
 * process that ended.
 */
export const VISITOR_DAYS = 7
