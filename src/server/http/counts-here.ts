import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { tryAgainIn } from './errors.ts'
import type { CountLimit } from './limits.ts'

/** Those who are counted at a time; of more, the one who came longest ago starts again at none. */
const COUNTED_MAX = 10_000
/** A limit's time may last that much longer. */
const RESOLUTION_MS = 100

/**
 * A hook that counts requests in this process's memory: for limits that keep load away, where a
 * count in the database would be load of its own.
 * @throws AppError rate_limited, with the seconds until the time is over
 */
export function atMost(limit: CountLimit, who: (request: FastifyRequest) => string) {
  let counts: LRUCache<string, { count: number }> | undefined
  return async (request: FastifyRequest): Promise<void> => {
    // Its room for them all is taken with the first one.
    counts ??= new LRUCache({
      max: COUNTED_MAX,
      ttl: limit.windowMs,
      ttlResolution: RESOLUTION_MS,
    })
    const owner = who(request)
    const known = counts.get(owner)
    if (!known) {
      counts.set(owner, { count: 1 })
      return
    }
    known.count++
    if (known.count <= limit.max) return
    throw tryAgainIn(counts.getRemainingTTL(owner) / 1000, 'rate_limited')
  }
}
