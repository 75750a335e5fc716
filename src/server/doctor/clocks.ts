import { MINUTE_MS } from '#contract/time.ts'
import { type Finding, say } from './finding.ts'

const APART_MINUTES = 1
const PROBLEM_MINUTES = 60

/** @param aheadMs how far the other clock is ahead of this machine's */
export function compareClocks(aheadMs: number, other: string): Finding {
  const minutes = Math.round(Math.abs(aheadMs) / MINUTE_MS)
  const side = aheadMs > 0 ? 'behind' : 'ahead of'
  const apart = minutes < PROBLEM_MINUTES ? 'minutes' : 'hours'
  return say('clock', minutes > APART_MINUTES ? apart : 'ok', { minutes, side, other })
}
