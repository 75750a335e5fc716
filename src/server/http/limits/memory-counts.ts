import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { tryAgainIn } from '../errors.ts'
import { isInside } from '../policy/client-address.ts'
import type { CountLimit } from './limits.ts'

/** Those who are counted at a time; of more, the one who came longest ago starts again at none. */
const COUNTED_MAX = 10_000
/** A limit's time may last that much longer. */
const RESOLUTION_MS = 100

export type Counted = {
  left: number
  resetMs: number
  isOver: boolean
  /** Counts one less again. */
  takeBack: () => void
}

/** Counts in this process's memory: one more of `who`, and how many are left until the time is over. */
export function counter(limit: CountLimit): (who: string) => Counted {
  let counts: LRUCache<string, { count: number }> | undefined
  return (who) => {
    // Its room for them all is taken with the first one.
    counts ??= new LRUCache({
      max: COUNTED_MAX,
      ttl: limit.windowMs,
      ttlResolution: RESOLUTION_MS,
    })
    const known = counts.get(who) ?? { count: 0 }
    if (known.count++ === 0) counts.set(who, known)
    const left = Math.max(0, limit.max - known.count)
    const resetMs = Math.min(counts.getRemainingTTL(who), limit.windowMs)
    return { left, resetMs, isOver: known.count > limit.max, takeBack: () => known.count-- }
  }
}

/**
 * A hook that counts requests in this process's memory: for limits that keep load away, where a
 * count in the database would be load of its own.
 * @throws AppError rate_limited, with the seconds until the time is over
 */
export function rateLimit(limit: CountLimit, who: (request: FastifyRequest) => string) {
  const count = counter(limit)
  return async (request: FastifyRequest): Promise<void> => {
    if (isInside(request)) return
    const { isOver, resetMs } = count(who(request))
    if (isOver) throw tryAgainIn(resetMs / 1000, 'rate_limited')
  }
}
