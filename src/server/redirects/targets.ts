import { LRUCache } from 'lru-cache'

/** Where a name leads, as the codes room tells it. */
export type Target = { id: string; url: string; paused: boolean; expiresAt: number | null }

/** Looks a name up in the database; undefined where nothing live answers to it. */
export type Resolve = (key: string) => Promise<Target | undefined>

const TARGETS_KEPT = 50_000
/** Names that lead nowhere: kept apart, so that whoever tries many of them pushes no code out. */
const ABSENT_KEPT = 5_000
/** The backstop for a change made by another process whose notice got lost. */
const FRESH_MS = 10_000
/** A code that is known waits no longer than this for a database that hangs. */
const PATIENCE_MS = 250
/** And a name that is not known no longer than this. */
const LIMIT_MS = 5_000

type Entry = { target: Target | undefined; checkedAt: number }

/**
 * Names and where they lead, in memory. A change made here is seen at once. When the database does
 * not answer, what is known goes on being served: a printed code outlives an outage.
 */
export class Targets {
  readonly #resolve: Resolve
  readonly #now: () => number
  readonly #entries = new LRUCache<string, Entry>({ max: TARGETS_KEPT })
  readonly #absent = new LRUCache<string, Entry>({ max: ABSENT_KEPT })
  readonly #lookups = new Map<string, Promise<Target | undefined>>()
  /** Counts changes, so that a look-up that began before one does not bring the old answer back. */
  #changes = 0

  constructor(resolve: Resolve, now: () => number = () => performance.now()) {
    this.#resolve = resolve
    this.#now = now
  }

  /** What is known and fresh; undefined where it must be looked up. */
  known(key: string): Entry | undefined {
    const entry = this.#entries.get(key) ?? this.#absent.get(key)
    return entry && this.#now() - entry.checkedAt < FRESH_MS ? entry : undefined
  }

  /** Asks the database, once for all who ask at the same time. @throws when it fails and nothing is known */
  lookUp(key: string): Promise<Target | undefined> {
    const underWay = this.#lookups.get(key)
    if (underWay) return underWay
    const lookup = this.#answer(key).finally(() => {
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
      this.#absent.delete(key)
      this.#lookups.delete(key)
    }
  }

  /** Any of them may have changed: each is looked up again, and serves only where that fails. */
  doubtAll() {
    this.#changes++
    this.#lookups.clear()
    this.#absent.clear()
    for (const entry of this.#entries.values()) entry.checkedAt = Number.NEGATIVE_INFINITY
  }

  async #answer(key: string): Promise<Target | undefined> {
    const patience = this.#entries.has(key) ? PATIENCE_MS : LIMIT_MS
    try {
      return await within(patience, this.#load(key))
    } catch (error) {
      const stale = this.#entries.get(key)
      if (!stale) throw error
      stale.checkedAt = this.#now()
      return stale.target
    }
  }

  async #load(key: string): Promise<Target | undefined> {
    const changesBefore = this.#changes
    const target = await this.#resolve(key)
    if (this.#changes === changesBefore) this.#keep(key, target)
    return target
  }

  #keep(key: string, target: Target | undefined) {
    const [home, other] = target ? [this.#entries, this.#absent] : [this.#absent, this.#entries]
    home.set(key, { target, checkedAt: this.#now() })
    other.delete(key)
  }
}

/** @throws when the time is over; what comes later is for the next to ask */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the look-up takes too long')), milliseconds)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}
