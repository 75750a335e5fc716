import { LRUCache } from 'lru-cache'
import type { Target } from '../codes/types.ts'

/** Looks a name up in the database; undefined for a name without a live code. */
export type Resolve = (key: string) => Promise<Target | undefined>

/** The same, at once; undefined if the database cannot answer at once. */
export type ResolveNow = (key: string) => { target: Target | undefined } | undefined

const TARGETS_KEPT = 50_000
/** Names that lead nowhere are kept apart, so that guesses push no code out. */
const ABSENT_KEPT = 5_000
/** Within this time a process sees a change whose announcement it missed. */
const FRESH_MS = 10_000
/** The same for a name that led nowhere: a user may have just made it in another process. */
const ABSENT_FRESH_MS = 2_000
/** A known code waits this long for a database that hangs, then its last target is used. */
const KNOWN_LIMIT_MS = 250
/** A name that is not known waits this long, then the look-up fails. */
const UNKNOWN_LIMIT_MS = 5_000

/** An entry that is gone serves no more, not even while the database is down: its target has changed. */
export type Entry = { target: Target | undefined; checkedAt: number; isGone?: boolean }

/**
 * Names and their targets in memory. A change made in this process is seen at once. While the
 * database does not answer, known names keep working: a printed code outlives an outage. A name that
 * was asked for in another spelling, or on another host, shares the entry of the name that was found.
 */
export class TargetCache {
  readonly #resolve: Resolve
  readonly #resolveNow: ResolveNow
  readonly #now: () => number
  readonly #entries = new LRUCache<string, Entry>({
    max: TARGETS_KEPT,
    // A change is announced by this key: without it, other keys of the entry would not hear of it.
    dispose: (entry, key) => {
      if (entry.target?.key === key) entry.isGone = true
    },
  })
  readonly #absent = new LRUCache<string, Entry>({ max: ABSENT_KEPT })
  readonly #lookups = new Map<string, Promise<Target | undefined>>()
  /** Counts changes, so that a look-up that began before one does not store the old target. */
  #changes = 0

  constructor(deps: { resolve: Resolve; resolveNow?: ResolveNow; now?: () => number }) {
    this.#resolve = deps.resolve
    this.#resolveNow = deps.resolveNow ?? (() => undefined)
    this.#now = deps.now ?? (() => performance.now())
  }

  /** The target in memory, if it is fresh; undefined when it must be looked up. */
  get(key: string): Entry | undefined {
    const entry = this.#entries.get(key) ?? this.#absent.get(key)
    if (!entry || entry.isGone) return undefined
    const freshMs = entry.target ? FRESH_MS : ABSENT_FRESH_MS
    return this.#now() - entry.checkedAt < freshMs ? entry : undefined
  }

  /** Asks the database in this thread; undefined if its answer takes longer. */
  getNow(key: string): Entry | undefined {
    const answer = this.#resolveNow(key)
    return answer && this.#store(key, answer.target)
  }

  /** Asks the database, once for all who ask at the same time. @throws when that fails for an unknown name */
  lookUp(key: string): Promise<Target | undefined> {
    const underWay = this.#lookups.get(key)
    if (underWay) return underWay
    const lookup = this.#answer(key).finally(() => {
      if (this.#lookups.get(key) === lookup) this.#lookups.delete(key)
    })
    this.#lookups.set(key, lookup)
    return lookup
  }

  /** Forgets names whose target has changed. */
  invalidate(keys: string[]) {
    this.#changes++
    for (const key of keys) {
      this.#entries.delete(key)
      this.#absent.delete(key)
      this.#lookups.delete(key)
    }
  }

  /** For when any name may have changed: each is looked up again, and its old target serves only if that fails. */
  invalidateAll() {
    this.#changes++
    this.#lookups.clear()
    this.#absent.clear()
    for (const entry of this.#entries.values()) entry.checkedAt = Number.NEGATIVE_INFINITY
  }

  async #answer(key: string): Promise<Target | undefined> {
    const limit = this.#entries.has(key) ? KNOWN_LIMIT_MS : UNKNOWN_LIMIT_MS
    try {
      return await within(limit, this.#load(key))
    } catch (error) {
      const stale = this.#entries.get(key)
      if (!stale || stale.isGone) throw error
      stale.checkedAt = this.#now()
      return stale.target
    }
  }

  async #load(key: string): Promise<Target | undefined> {
    const changesBefore = this.#changes
    const target = await this.#resolve(key)
    if (this.#changes === changesBefore) this.#store(key, target)
    return target
  }

  #store(key: string, target: Target | undefined): Entry {
    const [home, other] = target ? [this.#entries, this.#absent] : [this.#absent, this.#entries]
    const shared = target && this.#entries.get(target.key)
    const entry: Entry = Object.assign(shared ?? {}, { target, checkedAt: this.#now() })
    home.set(key, entry)
    other.delete(key)
    if (target && !shared) this.#entries.set(target.key, entry)
    return entry
  }
}

/** @throws when the time is over; a result that comes later is still stored */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
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
