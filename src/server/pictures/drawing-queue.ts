/** A drawing takes milliseconds, a check a quarter of a second. */
export type Lane = 'drawing' | 'check'

/** What waits for a drawing thread: a bounded number of each kind, drawings first. */
export class DrawingQueue<Job> {
  readonly #limits: Record<Lane, number>
  readonly #waiting: Record<Lane, Job[]> = { drawing: [], check: [] }

  constructor(limits: Record<Lane, number>) {
    this.#limits = limits
  }

  get length(): number {
    return this.#waiting.drawing.length + this.#waiting.check.length
  }

  /** False where there is no room. */
  add(job: Job, lane: Lane): boolean {
    const isFull = this.#waiting[lane].length >= this.#limits[lane]
    if (!isFull) this.#waiting[lane].push(job)
    return !isFull
  }

  /** The next of those kinds that may begin now. */
  next(mayBegin: (lane: Lane) => boolean): Job | undefined {
    const lanes = ['drawing', 'check'] as const
    const lane = lanes.find((lane) => this.#waiting[lane].length > 0 && mayBegin(lane))
    return lane && this.#waiting[lane].shift()
  }

  /** Empties it. */
  takeAll(): Job[] {
    return [...this.#waiting.drawing.splice(0), ...this.#waiting.check.splice(0)]
  }
}
