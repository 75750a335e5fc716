import { MINUTE_MS } from '#contract/time.ts'

/** A stream that was cut, or a tab that was hidden, for no longer is told which codes it missed. */
const KEPT_MS = 5 * MINUTE_MS
const CODES_MAX = 10_000

/** Which codes were scanned in the last minutes, by instants that only grow (epoch milliseconds). */
export class RecentCodes {
  /** The last instant of each, oldest first */
  readonly #scannedAt = new Map<string, number>()
  /** All codes after this instant are known. */
  #knownSince: number

  constructor(now: number) {
    this.#knownSince = now
  }

  note(codes: Iterable<string>, at: number) {
    for (const code of codes) {
      this.#scannedAt.delete(code)
      this.#scannedAt.set(code, at)
    }
    for (const [code, last] of this.#scannedAt) {
      if (last > at - KEPT_MS && this.#scannedAt.size <= CODES_MAX) break
      this.#scannedAt.delete(code)
      this.#knownSince = last
    }
  }

  /** Codes were scanned that nobody named. */
  forget(at: number) {
    this.#scannedAt.clear()
    this.#knownSince = at
  }

  /** The codes of all scans after an instant; undefined if they are not known. */
  since(at: number): string[] | undefined {
    if (at < this.#knownSince) return undefined
    return [...this.#scannedAt].filter(([, last]) => last > at).map(([code]) => code)
  }
}
