/** Most that wait, and how long a check lets drawings pass. */
export type QueueLimits = { drawings: number; checks: number; checkPatienceMs: number }

type Waiting<Job> = { job: Job; since: number }

/**
 * What waits for a drawing thread. A drawing takes milliseconds and a check a quarter of a second,
 * so drawings go first, but for a check that has waited long.
 */
export class DrawingQueue<Job> {
  readonly #limits: QueueLimits
  readonly #now: () => number
  readonly #drawings: Waiting<Job>[] = []
  readonly #checks: Waiting<Job>[] = []

  constructor(limits: QueueLimits, now: () => number = () => performance.now()) {
    this.#limits = limits
    this.#now = now
  }

  get length(): number {
    return this.#drawings.length + this.#checks.length
  }

  /** False where there is no room. */
  add(job: Job, isCheck: boolean): boolean {
    const lane = isCheck ? this.#checks : this.#drawings
    if (lane.length >= (isCheck ? this.#limits.checks : this.#limits.drawings)) return false
    lane.push({ job, since: this.#now() })
    return true
  }

  next({ mayCheck }: { mayCheck: boolean }): Job | undefined {
    const checkFirst = this.#drawings.length === 0 || this.#isOverdue(this.#checks[0])
    const lane = mayCheck && checkFirst && this.#checks.length > 0 ? this.#checks : this.#drawings
    return lane.shift()?.job
  }

  /** Empties it. */
  takeAll(): Job[] {
    return [...this.#drawings.splice(0), ...this.#checks.splice(0)].map(({ job }) => job)
  }

  #isOverdue(check: Waiting<Job> | undefined): boolean {
    return check !== undefined && this.#now() - check.since > this.#limits.checkPatienceMs
  }
}
