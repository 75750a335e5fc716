import { LRUCache } from 'lru-cache'
import { IANAZone } from 'luxon'
import { QUARTER_MS, quarterOf } from '../instants.ts'
import { QUARTERS_A_DAY } from '../store/ledger/totals.ts'
import type { Offset } from './periods.ts'

/** Two changes of one zone's clocks are further apart than this. */
const PROBE = 4 * QUARTERS_A_DAY

const YEARS_KEPT = 2_000
const years = new LRUCache<string, Offset[]>({ max: YEARS_KEPT })

/**
 * The offsets of a zone in a period, oldest first; the first one begins before it.
 * @param zone a canonical name: Luxon keeps each one that it meets
 */
export function offsetsIn(zone: string, from: number, to: number): Offset[] {
  const offsets: Offset[] = []
  const [first, last] = [from, to].map((quarter) => new Date(quarter * QUARTER_MS).getUTCFullYear())
  for (let year = first as number; year <= (last as number); year++) {
    for (const offset of offsetsOfYear(zone, year)) {
      if (offset.ahead !== offsets.at(-1)?.ahead) offsets.push(offset)
    }
  }
  return offsets
}

function offsetsOfYear(zone: string, year: number): Offset[] {
  const key = `${year} ${zone}`
  const known = years.get(key)
  if (known) return known
  const [from, end] = [year, year + 1].map((each) => quarterOf(Date.UTC(each, 0)))
  const offsets = findChanges(zone, from as number, end as number)
  years.set(key, offsets)
  return offsets
}

function findChanges(zone: string, from: number, end: number): Offset[] {
  const at = (quarter: number) => aheadAt(zone, quarter)
  const offsets = [{ from, ahead: at(from) }]
  for (let probe = from; probe < end; probe += PROBE) {
    const next = Math.min(probe + PROBE, end)
    const ahead = at(next)
    if (ahead === offsets.at(-1)?.ahead) continue
    const change = firstBetween(probe, next, (quarter) => at(quarter) === ahead)
    if (change < end) offsets.push({ from: change, ahead })
  }
  return offsets
}

/** The first quarter-hour after `before` for which something holds that holds from there up to `holds`. */
function firstBetween(before: number, holds: number, isSo: (quarter: number) => boolean): number {
  let [low, high] = [before, holds]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (isSo(middle)) high = middle
    else low = middle
  }
  return high
}

function aheadAt(zone: string, quarter: number): number {
  const minutes = IANAZone.create(zone).offset(quarter * QUARTER_MS)
  return Math.floor(minutes / 15)
}
