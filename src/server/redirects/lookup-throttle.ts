import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Target } from '../codes/types.ts'
import { lookupLimits } from '../http/limits/limits.ts'
import { type Caller, clientAddress } from '../http/policy/client-address.ts'
import { FairQueue } from '../http/queue/fair-queue.ts'
import { hangUpSignal } from '../http/queue/request-queue.ts'
import type { Entry, TargetCache } from './target-cache.ts'

/** Addresses that are counted at a time; of more, the one that came longest ago starts again at none. */
const COUNTED_MAX = 10_000

const { counted, inTurn } = lookupLimits

type Visitor = Caller & Pick<FastifyRequest, 'raw'>

/**
 * Finds where names lead. An address that asks for many unknown names waits before each further
 * look-up, whether its name exists or not: any name may be printed, so none is refused. Other addresses
 * do not wait.
 */
export class LookupThrottle {
  readonly #targets: TargetCache
  readonly #now: () => number
  readonly #counts = new LRUCache<string, { count: number; until: number }>({ max: COUNTED_MAX })
  readonly turns = new FairQueue(inTurn)

  constructor(targets: TargetCache, now: () => number = () => performance.now()) {
    this.#targets = targets
    this.#now = now
  }

  /**
   * Where a name leads, at once if that can be said.
   * @throws what `TargetCache.lookUp` throws; HungUp for a visitor who left before his turn
   */
  find(key: string, visitor: Visitor): Entry | Promise<Target | undefined> {
    const known = this.#targets.get(key)
    if (known) return known
    const address = clientAddress(visitor)
    if (this.#isOver(address)) return this.#findInTurn(key, address, hangUpSignal(visitor))
    const entry = this.#targets.getNow(key)
    if (entry && !entry.target) this.#count(address)
    return entry ?? this.#lookUp(key, address)
  }

  /** By the database's thread: an address that guesses takes nothing from the thread that all share. */
  async #findInTurn(key: string, address: string, signal: AbortSignal) {
    const end = await this.#turn(address, signal)
    try {
      const known = this.#targets.get(key)
      return known ? known.target : await this.#lookUp(key, address)
    } finally {
      if (end) setTimeout(end, inTurn.pauseMs)
    }
  }

  async #lookUp(key: string, address: string): Promise<Target | undefined> {
    const target = await this.#targets.lookUp(key)
    if (!target) this.#count(address)
    return target
  }

  #isOver(address: string): boolean {
    return (this.#countOf(address)?.count ?? 0) >= counted.max
  }

  #count(address: string) {
    const known = this.#countOf(address)
    if (known) known.count++
    else this.#counts.set(address, { count: 1, until: this.#now() + counted.windowMs })
  }

  #countOf(address: string) {
    const known = this.#counts.get(address)
    return known && this.#now() < known.until ? known : undefined
  }

  /** Does not wait if the queue is full: memory has a bound, and a name is not refused. */
  async #turn(address: string, signal: AbortSignal): Promise<(() => void) | undefined> {
    try {
      return await this.turns.begin(address, signal)
    } catch (error) {
      if (signal.aborted) throw error
      return undefined
    }
  }
}
