import { COUNTER_END } from '../journal/layout.ts'

// 36^9 ms reach beyond the year 5000.
const TIME_DIGITS = 9
const COUNTER_DIGITS = 5

let lastAt = -1
let lastTime = ''

/**
 * A time-ordered id of 24 characters: instant, counter, and the nonce that tells journals apart.
 * @param at epoch milliseconds
 * @param counter counts a journal's scans; it begins again at COUNTER_END
 * @param nonce 10 characters
 */
export function idOf(at: number, counter: number, nonce: string): string {
  if (at !== lastAt) {
    lastAt = at
    lastTime = at.toString(36).padStart(TIME_DIGITS, '0')
  }
  return lastTime + (counter % COUNTER_END).toString(36).padStart(COUNTER_DIGITS, '0') + nonce
}
