import type { ScanClass } from '#contract/analytics/figure-values.ts'

/**
 * All that the ledger keeps of a visit but its code, instant and visitor: many scans share it. `utm` are the UTM
 * parameters of the destination that it met (contract/analytics/utm.ts), `branch` is the id of the rule's variant that
 * it took; null for the main destination. It is the order of the columns of a pack. Packs of older versions follow it
 * too: only append.
 */
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
  'branch',
] as const

export type ScanAttributes = Record<(typeof attributeNames)[number], string | null> & {
  class: ScanClass
  rule: string
  agent: string
}

/** All but the agent, of which the ledger has a number */
export const textNames = attributeNames.filter((name) => name !== 'agent')

/** The columns that rows of scans are handed over with */
export type ScanColumn = 'code_id' | (typeof textNames)[number]

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
  'branch',
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
