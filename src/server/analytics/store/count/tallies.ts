import { type Offset, QUARTERS_A_DAY, shownAt, weekdayOf } from '../../../dates.ts'
import { orMade } from '../../../or-made.ts'
import type { Period, Sums } from '../scans-store.ts'

/** A sum that is counted in parts. `bytes` is about what it takes in memory. */
export type Sum<Self> = { addAll: (other: Self) => void; readonly bytes: number }

const ENTRY_BYTES = 200

/** How many scans have each key. */
export class Tally<Key> extends Map<Key, number> implements Sum<Tally<Key>> {
  add(key: Key, scans: number) {
    this.set(key, (this.get(key) ?? 0) + scans)
  }

  addAll(other: Tally<Key>) {
    for (const [key, scans] of other) this.add(key, scans)
  }

  get bytes(): number {
    return ENTRY_BYTES * (1 + this.size)
  }
}

const QUARTERS_AN_HOUR = 4
const DAY_BYTES = 2 * QUARTERS_A_DAY * Float64Array.BYTES_PER_ELEMENT

/** Scans and visitors by quarter-hour. All other sums over time are made of these. */
export class QuarterSums implements Sum<QuarterSums> {
  /** By UTC day: the scans of its quarters, then the visitors. */
  readonly #days = new Map<number, Float64Array>()

  add(quarter: number, scans: number, visitors: number) {
    const day = Math.floor(quarter / QUARTERS_A_DAY)
    const sums = this.#ofDay(day)
    const at = quarter - day * QUARTERS_A_DAY
    sums[at] = (sums[at] as number) + scans
    sums[QUARTERS_A_DAY + at] = (sums[QUARTERS_A_DAY + at] as number) + visitors
  }

  /** Returns a day's sums, to add to: scans of its quarters, then visitors. */
  #ofDay(day: number): Float64Array {
    return orMade(this.#days, day, () => new Float64Array(2 * QUARTERS_A_DAY))
  }

  addAll(other: QuarterSums) {
    for (const [day, from] of other.#days) {
      const sums = this.#ofDay(day)
      for (let at = 0; at < sums.length; at++)
        sums[at] = (sums[at] as number) + (from[at] as number)
    }
  }

  get bytes(): number {
    return (1 + this.#days.size) * DAY_BYTES
  }

  /** The sums from each of these quarters up to the next one, which is never before it. */
  between(starts: readonly number[]): Sums[] {
    return starts.slice(0, -1).map((from, index) => this.#sum(from, starts[index + 1] as number))
  }

  /** Scans from `from` up to `to` by weekday and hour as clocks show them: seven rows, Monday first. */
  byWeekHour({ from, to }: Period, offsets: readonly Offset[]): number[][] {
    const rows = Array.from({ length: 7 }, () => new Array<number>(24).fill(0))
    for (const [day, sums] of this.#days) {
      for (let at = 0; at < QUARTERS_A_DAY; at++) {
        const scans = sums[at] as number
        const quarter = day * QUARTERS_A_DAY + at
        if (scans === 0 || quarter < from || quarter >= to) continue
        const shown = shownAt(offsets, quarter)
        const shownDay = Math.floor(shown / QUARTERS_A_DAY)
        const row = rows[weekdayOf(shownDay)] as number[]
        const hour = Math.floor((shown - shownDay * QUARTERS_A_DAY) / QUARTERS_AN_HOUR)
        row[hour] = (row[hour] as number) + scans
      }
    }
    return rows
  }

  #sum(from: number, to: number): Sums {
    const sum = { scans: 0, visitors: 0 }
    for (let quarter = from; quarter < to; ) {
      const day = Math.floor(quarter / QUARTERS_A_DAY)
      const begin = quarter - day * QUARTERS_A_DAY
      const end = Math.min(QUARTERS_A_DAY, begin + to - quarter)
      const sums = this.#days.get(day)
      if (sums) {
        for (let at = begin; at < end; at++) {
          sum.scans += sums[at] as number
          sum.visitors += sums[QUARTERS_A_DAY + at] as number
        }
      }
      quarter += end - begin
    }
    return sum
  }
}
