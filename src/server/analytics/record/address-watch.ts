import { DAY_MS, HOUR_MS } from '#contract/time.ts'
import { unmapped } from '../../http/policy/client-address.ts'
import { isPublicAddress } from '../../http/public-network.ts'

const SCANS_MIN = 200
/** Misra and Gries (1982): each of these counters lacks at most a ninth of all scans. */
const COUNTERS = 8
/** So an address of three fifths of the scans is always noticed, and one of less than half never. */
const MOST = 0.5

/**
 * Notices if most scans of an hour come from one address or from addresses that are not public: then
 * the service probably takes a proxy for its visitors.
 */
export class AddressWatch {
  readonly #warn: (message: string) => void
  readonly #counts = new Map<string, number>()
  #scans = 0
  #began = 0
  #warned = 0

  /** @param warn called at most once a day */
  constructor(warn: (message: string) => void) {
    this.#warn = warn
  }

  /** @param at epoch ms */
  note(address: string, at: number) {
    if (Math.abs(at - this.#began) >= HOUR_MS) this.#begin(at)
    this.#scans++
    const count = this.#counts.get(address) ?? 0
    if (count > 0 || this.#counts.size < COUNTERS) {
      this.#counts.set(address, count + 1)
      return
    }
    for (const [other, scans] of this.#counts) {
      if (scans > 1) this.#counts.set(other, scans - 1)
      else this.#counts.delete(other)
    }
  }

  #begin(at: number) {
    const isDue = this.#scans >= SCANS_MIN && Math.abs(at - this.#warned) >= DAY_MS
    const source = isDue ? this.#mostCommon() : undefined
    if (source) {
      this.#warned = at
      this.#warn(`most scans of an hour came from ${source}: see TRUST_PROXY and npm run doctor`)
    }
    this.#counts.clear()
    this.#scans = 0
    this.#began = at
  }

  #mostCommon(): string | undefined {
    const most = this.#scans * MOST
    const counts = [...this.#counts]
    if (counts.some(([, scans]) => scans > most)) return 'one address'
    const isHidden = (address: string) => !isPublicAddress(unmapped(address))
    const hidden = counts.map(([address, scans]) => (isHidden(address) ? scans : 0))
    return hidden.reduce((sum, scans) => sum + scans, 0) > most ? 'private addresses' : undefined
  }
}
