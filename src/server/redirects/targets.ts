import { LRUCache } from 'lru-cache'

/** Where a name leads, as the codes room tells it. */
export type Target = { id: string; url: string; paused: boolean; expiresAt: number | null }

/** Looks a name up in the database; undefined where nothing live answers to it. */
export type Resolve = (key: string) => Promise<Target | undefined>

const TARGETS_KEPT = 50_000
/** The backstop for a change made by another process whose notice got lost. */
const FRESH_MS = 10_000

type Entry = { target: Target | undefined; checkedAt: number }

/**
 * Names and where they lead, in memory. A change made here is seen at once. When the database does
 * not answer, what is known goes on being served: a printed code outlives an outage.
 */
export class Targets {
  readonly #resolve: Resolve
  readonly #now: () => number
  readonly #entries = new LRUCache<string, Entry>({ max: TARGETS_KEPT })
  readonly #lookups = new Map<string, Promise<Target | undefined>>()
  /** Counts changes, so that a look-up that began before one does not bring the old answer back. */
  #changes = 0

  constructor(resolve: Resolve, now: () => number = () => performance.now()) {
    this.#resolve = resolve
    this.#now = now
  }

  /** What is known and fresh; undefined where it must be looked up. */
  known(key: string): Entry | undefined {
    const entry = this.#entries.get(key)
    return entry && this.#now() - entry.checkedAt < FRESH_MS ? entry : undefined
  }

  /** Asks the database, once for all who ask at the same time. @throws when it fails and nothing is known */
  lookUp(key: string): Promise<Target | undefined> {
    const underWay = this.#lookups.get(key)
    if (underWay) return underWay
    const lookup = this.#load(key).finally(() => {
      if (this.#lookups.get(key) === lookup) this.#lookups.delete(key)
    })
    this.#lookups.set(key, lookup)
    return lookup
  }

  /** Forgets names that lead elsewhere now. */
  forget(keys: string[]) {
    this.#changes++
    for (const key of keys) {
      this.#entries.delete(key)
      this.#lookups.delete(key)
    }
  }

  forgetAll() {
    this.#changes++
    this.#entries.clear()
    this.#lookups.clear()
  }

  async #load(key: string): Promise<Target | undefined> {
    const changesBefore = this.#changes
    try {
      const target = await this.#resolve(key)
      if (this.#changes === changesBefore) {
        this.#entries.set(key, { target, checkedAt: this.#now() })
      }
      return target
    } catch (error) {
      const stale = this.#entries.get(key)
      if (!stale) throw error
      stale.checkedAt = this.#now()
      return stale.target
    }
  }
}
