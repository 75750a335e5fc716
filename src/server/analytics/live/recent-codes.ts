import { randomBytes } from 'node:crypto'
import { MINUTE_MS } from '#contract/time.ts'

/** How far clocks of two processes, and the news between them, may be apart. */
const OTHERS_MS = 10_000

const ID = /^([0-9a-z]{1,10})-([0-9a-f]{8})$/

/**
 * Ids of events: an instant that only grows, and whose it is. Behind a balancer a stream may go on at
 * another process, whose clock differs: there it begins some seconds earlier, and names codes twice
 * rather than not at all.
 */
export class EventIds {
  readonly nonce = randomBytes(4).toString('hex')
  #last = 0

  /** A new instant. */
  tick(): number {
    this.#last = Math.max(this.#last + 1, Date.now())
    return this.#last
  }

  of(at: number): string {
    return `${at.toString(36)}-${this.nonce}`
  }

  /** The instant from which a stream goes on after an event; undefined if the id is not ours. */
  instantOf(id: string): number | undefined {
    const [, at = '', nonce] = ID.exec(id) ?? []
    if (!nonce) return undefined
    const instant = Number.parseInt(at, 36) - (nonce === this.nonce ? 0 : OTHERS_MS)
    return instant <= Math.max(this.#last, Date.now()) ? instant : undefined
  }
}

/** A stream that was cut, or a tab that was hidden, for no longer gets the codes that it missed. */
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

  /** Forgets all codes, after scans of codes that are not named. */
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
