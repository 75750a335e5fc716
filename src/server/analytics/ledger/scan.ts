import { randomBytes } from 'node:crypto'
import type { ScanClass } from '../capture/classification.ts'

/**
 * One hit on a code, as a JSON array: so it travels to the recorder's thread and into the spill
 * file without being built twice. The id is made before the first attempt to write, so that a
 * commit whose outcome is unknown can be repeated.
 */
export type Scan = [
  id: string,
  codeId: string,
  at: number,
  scanClass: ScanClass,
  rule: string,
  country: string | null,
  region: string | null,
  city: string | null,
  device: string | null,
  os: string | null,
  browser: string | null,
  referrer: string | null,
  language: string | null,
  agent: string,
  visitor: string | null,
]

const COLUMNS = 15
const NULLABLE = [5, 6, 7, 8, 9, 10, 11, 12, 14]

/** Whether a value read from a file is a scan. */
export function isScan(value: unknown): value is Scan {
  if (!Array.isArray(value) || value.length !== COLUMNS) return false
  return value.every((cell, column) => {
    if (column === 2) return Number.isSafeInteger(cell)
    return typeof cell === 'string' || (cell === null && NULLABLE.includes(column))
  })
}

/** The part of a scan that only depends on who scans. */
export type Profile = Scan extends [unknown, unknown, unknown, ...infer Rest] ? Rest : never

// 36^9 ms reach beyond the year 5000; the nonce tells processes apart that share a millisecond.
const TIME_DIGITS = 9
const COUNTER_DIGITS = 5
const COUNTER_END = 36 ** COUNTER_DIGITS
const nonce = randomBytes(5).toString('hex')

let counter = 0

/** A time-ordered id: instant, process and count, 24 characters. */
export function newScanId(at: number): string {
  counter = (counter + 1) % COUNTER_END
  const time = at.toString(36).padStart(TIME_DIGITS, '0')
  return time + counter.toString(36).padStart(COUNTER_DIGITS, '0') + nonce
}

/** The profile's end of the line, made once for all scans of one visitor. */
export function lineEnd(profile: Profile): string {
  return JSON.stringify(profile).slice(1)
}

/** A scan as one line. `codeId` is a UUID and needs no escaping. */
export function scanLine(id: string, codeId: string, at: number, end: string): string {
  return `["${id}","${codeId}",${at},${end}`
}
