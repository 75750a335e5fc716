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

const isText = (value: unknown): value is string => typeof value === 'string'
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value)
const isInstant = (value: unknown): value is number => Number.isSafeInteger(value)

/**
 * The columns of a scan: the one list that the ledger's rows follow, the lines of refused scans, and
 * those that an older version may have spilled. So a new column goes to the end.
 */
const COLUMNS = {
  id: isText,
  code_id: isText,
  at: isInstant,
  class: isText as (value: unknown) => value is ScanClass,
  rule: isText,
  country: isTextOrNull,
  region: isTextOrNull,
  city: isTextOrNull,
  device: isTextOrNull,
  os: isTextOrNull,
  browser: isTextOrNull,
  referrer: isTextOrNull,
  language: isTextOrNull,
  agent: isText,
  visitor: isTextOrNull,
  utm: isTextOrNull,
}
/** The columns of the first lines; the others were added. */
const FIRST_COLUMNS = 15
type Column = keyof typeof COLUMNS

/**
 * One hit on a code, `at` in epoch milliseconds. The id is made before the first attempt to write,
 * so that a commit whose outcome is unknown can be repeated.
 */
export type Scan = {
  [C in Column]: (typeof COLUMNS)[C] extends (value: unknown) => value is infer V ? V : never
}

export const scanColumns = Object.keys(COLUMNS) as Column[]

/** The scan of a line that was read from a file; undefined if it is not whole. */
export function scanOfLine(line: string): Scan | undefined {
  try {
    const values: unknown[] = JSON.parse(line)
    if (Array.isArray(values) && values.length === FIRST_COLUMNS) values.push(null)
    const isScan =
      Array.isArray(values) &&
      values.length === scanColumns.length &&
      scanColumns.every((column, index) => COLUMNS[column](values[index]))
    if (!isScan) return undefined
    return Object.fromEntries(scanColumns.map((column, index) => [column, values[index]])) as Scan
  } catch {
    return undefined
  }
}

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
