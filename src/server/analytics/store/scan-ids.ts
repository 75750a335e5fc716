import { randomBytes } from 'node:crypto'
import { DAY_MS } from '#contract/time.ts'
import { utcDay } from '../../dates.ts'

/** An id begins with its scan's instant. 36^9 ms reach beyond the year 5000. */
const TIME_DIGITS = 9
const COUNTER_DIGITS = 5
/** The counters of scans begin again from 0 here. */
export const COUNTER_END = 36 ** COUNTER_DIGITS

let lastAt = -1
let lastTime = ''

/**
 * A time-ordered id of 24 characters: instant, counter, and the nonce of its journal.
 * @param at epoch milliseconds
 * @param counter counts a journal's scans; it begins again at COUNTER_END
 * @param nonce 10 characters
 */
export function scanId(at: number, counter: number, nonce: string): string {
  if (at !== lastAt) {
    lastAt = at
    lastTime = at.toString(36).padStart(TIME_DIGITS, '0')
  }
  return lastTime + (counter % COUNTER_END).toString(36).padStart(COUNTER_DIGITS, '0') + nonce
}

const ownNonce = randomBytes(5).toString('hex')
let ownCounter = 0

/** The id of a scan that comes from no journal. */
export const newScanId = (at: number) => scanId(at, ++ownCounter, ownNonce)

/** Not above any id of an instant in epoch milliseconds or later, and above those of all before it. */
export const idFrom = (at: number) => Math.max(0, at).toString(36).padStart(TIME_DIGITS, '0')

/** The first possible id of a UTC day. */
export const idFromDay = (day: number) => idFrom(day * DAY_MS)

/** The instant of a scan, in epoch milliseconds. */
export const instantOfId = (id: string) => Number.parseInt(id.slice(0, TIME_DIGITS), 36)

/** Takes the id of a scan apart. */
export const partsOfId = (id: string) => ({
  at: instantOfId(id),
  counter: Number.parseInt(id.slice(TIME_DIGITS, TIME_DIGITS + COUNTER_DIGITS), 36),
  nonce: id.slice(TIME_DIGITS + COUNTER_DIGITS),
})

/** The UTC day of a scan. */
export const dayOfId = (id: string) => utcDay(instantOfId(id))
