import { randomBytes } from 'node:crypto'
import type { ScanClass } from '../../record/classification.ts'

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
}
type Column = keyof typeof COLUMNS

/**
 * One hit on a code, `at` in epoch milliseconds. The id is made before the first attempt to write,
 * so that a commit whose outcome is unknown can be repeated.
 */
export type Scan = {
  [C in Column]: (typeof COLUMNS)[C] extends (value: unknown) => value is infer V ? V : never
}

export const scanColumns = Object.keys(COLUMNS) as Column[]

/** A scan as one line: the JSON array of its values in the order of the columns. */
export function lineOf(scan: Scan): string {
  return JSON.stringify(scanColumns.map((column) => scan[column]))
}

/** The scan whose values a line holds. */
export function scanOf(values: unknown[]): Scan {
  const scan: Partial<Record<Column, unknown>> = {}
  for (let index = 0; index < scanColumns.length; index++) {
    scan[scanColumns[index] as Column] = values[index]
  }
  return scan as Scan
}

/** Whether a line that was read from a file is a scan's. */
export function isScanLine(line: string): boolean {
  try {
    const values: unknown = JSON.parse(line)
    return (
      Array.isArray(values) &&
      values.length === scanColumns.length &&
      scanColumns.every((column, index) => COLUMNS[column](values[index]))
    )
  } catch {
    return false
  }
}

// 36^9 ms reach beyond the year 5000; the nonce tells processes apart that share a millisecond.
const TIME_DIGITS = 9
const COUNTER_DIGITS = 5
const COUNTER_END = 36 ** COUNTER_DIGITS
const nonce = randomBytes(5).toString('hex')

let counter = 0

/** A time-ordered id: instant, count and process, 24 characters. */
export function newScanId(at: number): string {
  counter = (counter + 1) % COUNTER_END
  const time = at.toString(36).padStart(TIME_DIGITS, '0')
  return time + counter.toString(36).padStart(COUNTER_DIGITS, '0') + nonce
}
