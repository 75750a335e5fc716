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
 * @param warn called at most once a day
 */
export function addressWatch(warn: (message: string) => void) {
  const counts = new Map<string, number>()
  let [scans, began, warned] = [0, 0, 0]

  function begin(at: number) {
    const isDue = scans >= SCANS_MIN && Math.abs(at - warned) >= DAY_MS
    const source = isDue ? mostCommon() : undefined
    if (source) {
      warned = at
      warn(`most scans of an hour came from ${source}: see TRUST_PROXY and npm run doctor`)
    }
    counts.clear()
    scans = 0
    began = at
  }

  function mostCommon(): string | undefined {
    const most = scans * MOST
    const all = [...counts]
    if (all.some(([, scans]) => scans > most)) return 'one address'
    const isHidden = (address: string) => !isPublicAddress(unmapped(address))
    const hidden = all.map(([address, scans]) => (isHidden(address) ? scans : 0))
    return hidden.reduce((sum, scans) => sum + scans, 0) > most ? 'private addresses' : undefined
  }

  /** Notes the address of a scan. @param at epoch ms */
  return (address: string, at: number) => {
    if (Math.abs(at - began) >= HOUR_MS) begin(at)
    scans++
    const count = counts.get(address) ?? 0
    if (count > 0 || counts.size < COUNTERS) {
      counts.set(address, count + 1)
      return
    }
    for (const [other, scans] of counts) {
      if (scans > 1) counts.set(other, scans - 1)
      else counts.delete(other)
    }
  }
}
