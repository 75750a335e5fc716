import type Stripe from 'stripe'
import { MINUTE_MS } from '#contract/time.ts'
import { type Clock, isAhead } from '../../clock.ts'

/** A price or a setting that the operator replaces at Stripe counts after this time. */
const KEPT_MS = 10 * MINUTE_MS

/** A value that is read from Stripe once in a while. `forget` it if Stripe refuses it. */
export function kept<T>(read: (stripe: Stripe) => Promise<T>, clock: Clock) {
  let known: { value: T; until: number } | undefined
  return {
    async get(stripe: Stripe): Promise<T> {
      const now = clock()
      if (!known || !isAhead(known.until, KEPT_MS, now)) {
        known = { value: await read(stripe), until: now.getTime() + KEPT_MS }
      }
      return known.value
    },
    forget() {
      known = undefined
    },
  }
}

/** How often a value for pages that anyone opens is read again. */
const EVERY_MS = MINUTE_MS

/** Returns what was last read. Reads again at most once a minute, and only when it is asked. */
export function lastRead<T>(read: () => Promise<T>, clock: Clock): () => T | undefined {
  let known: T | undefined
  let until = 0
  const update = async () => {
    // The call has logged its failure.
    known = await read().catch(() => known)
  }
  return () => {
    const now = clock()
    if (!isAhead(until, EVERY_MS, now)) {
      until = now.getTime() + EVERY_MS
      void update()
    }
    return known
  }
}
