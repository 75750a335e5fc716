import { type AppError, tryAgainIn } from '../errors.ts'
import { counter, gauge, type Metric } from '../metrics.ts'

/** The bounds of a queue; `queues` in limits.ts has those of each. */
export type QueueBounds = {
  /** Most that are under way at once, of all owners and of one. */
  atOnce: number
  atOnceEach: number
  /** Most that wait, of all owners (503) and of one (429). */
  waiting: number
  waitingEach: number
  /** Most that start in one turn of the event loop, so that redirects are answered in between. */
  startsPerTurn?: number
}

/** Bounds without a limit: the work of one owner runs in sequence, and of different owners at once. */
export const ONE_EACH: QueueBounds = {
  atOnce: Number.POSITIVE_INFINITY,
  atOnceEach: 1,
  waiting: Number.POSITIVE_INFINITY,
  waitingEach: Number.POSITIVE_INFINITY,
}

type Waiter = { start: () => void; leave: (reason: unknown) => void; isExempt: boolean }

/** Seconds after which a refused caller may try again. */
const RETRY_AFTER_S = 1

/**
 * Serves owners (accounts or addresses) in turn, so that one with a thousand requests delays the others
 * by one. A request whose client hangs up leaves the queue.
 */
export class FairQueue {
  readonly #limits: Required<QueueBounds>
  /** The waiting work by owner. The next turn is the first owner's. */
  readonly #queues = new Map<string, Set<Waiter>>()
  readonly #active = new Map<string, number>()
  #underWay = 0
  #waiting = 0
  #startsLeft: number
  #isTurnOver = true
  #refused = 0

  constructor(limits: QueueBounds) {
    this.#limits = { startsPerTurn: Number.POSITIVE_INFINITY, ...limits }
    this.#startsLeft = this.#limits.startsPerTurn
  }

  get underWay(): number {
    return this.#underWay
  }

  get waiting(): number {
    return this.#waiting
  }

  /** Refusals since the start. */
  get refused(): number {
    return this.#refused
  }

  /** For GET /metrics. @param what the work that waits here, in the plural */
  metrics(name: string, what: string): Metric[] {
    return [
      gauge(`${name}_waiting`, `${what} that wait for their turn`, this.#waiting),
      gauge(`${name}_under_way`, `${what} under way`, this.#underWay),
      counter(`${name}_refused_total`, `${what} refused because too many waited`, this.#refused),
    ]
  }

  /**
   * Does `work` when its owner's turn comes.
   * @param isExempt never refused, because its caller bounds how many such wait
   * @throws AppError rate_limited if its owner has too many waiting, then or later when others need the
   * room; busy if all together have; the signal's reason if it is aborted before the turn comes
   */
  async run<T>(
    owner: string,
    work: () => Promise<T>,
    signal?: AbortSignal,
    isExempt = false,
  ): Promise<T> {
    const end = await this.begin(owner, signal, isExempt)
    try {
      return await work()
    } finally {
      end()
    }
  }

  /** Waits for a turn; the caller ends it, once. @throws as `run` */
  async begin(owner: string, signal?: AbortSignal, isExempt = false): Promise<() => void> {
    signal?.throwIfAborted()
    if (this.#mayStart(owner)) this.#take(owner)
    else await this.#wait(owner, signal, isExempt)
    let isEnded = false
    return () => {
      if (isEnded) return
      isEnded = true
      this.#end(owner)
    }
  }

  #mayStart(owner: string): boolean {
    const { atOnce, atOnceEach } = this.#limits
    if (this.#startsLeft <= 0 || this.#underWay >= atOnce) return false
    return (this.#active.get(owner) ?? 0) < atOnceEach
  }

  #take(owner: string) {
    this.#underWay++
    this.#active.set(owner, (this.#active.get(owner) ?? 0) + 1)
    this.#startsLeft--
    if (this.#startsLeft === Number.POSITIVE_INFINITY || !this.#isTurnOver) return
    this.#isTurnOver = false
    setImmediate(() => {
      this.#isTurnOver = true
      this.#startsLeft = this.#limits.startsPerTurn
      this.#startNext()
    })
  }

  #end(owner: string) {
    this.#underWay--
    const left = (this.#active.get(owner) ?? 1) - 1
    if (left > 0) this.#active.set(owner, left)
    else this.#active.delete(owner)
    this.#startNext()
  }

  #wait(owner: string, signal: AbortSignal | undefined, isExempt: boolean): Promise<void> {
    const queue = this.#queues.get(owner) ?? new Set<Waiter>()
    if (!isExempt) this.#refuseBeyond(queue)
    return new Promise((resolve, reject) => {
      const hangUp = () => waiter.leave(signal?.reason)
      const waiter: Waiter = {
        isExempt,
        start: () => {
          signal?.removeEventListener('abort', hangUp)
          resolve()
        },
        leave: (reason) => {
          signal?.removeEventListener('abort', hangUp)
          this.#remove(owner, queue, waiter)
          reject(reason)
        },
      }
      signal?.addEventListener('abort', hangUp, { once: true })
      queue.add(waiter)
      this.#queues.set(owner, queue)
      this.#waiting++
    })
  }

  #refuseBeyond(queue: Set<Waiter>) {
    if (queue.size >= this.#limits.waitingEach) throw this.#refusal('rate_limited')
    if (this.#waiting >= this.#limits.waiting) this.#makeRoom(queue)
  }

  /** A full queue has room for an owner with few waiting: the last of the owner with the most leaves. */
  #makeRoom(queue: Set<Waiter>) {
    let longest = queue
    for (const other of this.#queues.values()) if (other.size > longest.size) longest = other
    const last = [...longest].findLast(({ isExempt }) => !isExempt)
    if (!last || longest.size <= queue.size + 1) throw this.#refusal('busy')
    last.leave(this.#refusal('rate_limited'))
  }

  #refusal(code: 'rate_limited' | 'busy'): AppError {
    this.#refused++
    return tryAgainIn(RETRY_AFTER_S, code)
  }

  #remove(owner: string, queue: Set<Waiter>, waiter: Waiter) {
    queue.delete(waiter)
    this.#waiting--
    if (queue.size === 0) this.#queues.delete(owner)
  }

  /** Gives turns to the owners that wait, each one, until no more may start. */
  #startNext() {
    for (const [owner, queue] of this.#queues) {
      if (this.#startsLeft <= 0 || this.#underWay >= this.#limits.atOnce) return
      const [next] = queue
      if (!next || !this.#mayStart(owner)) continue
      this.#remove(owner, queue, next)
      // Behind the others: a Map goes through its keys in the order of their first setting.
      if (this.#queues.delete(owner)) this.#queues.set(owner, queue)
      this.#take(owner)
      next.start()
    }
  }
}
