import { MINUTE_MS } from '#contract/time.ts'
import { FAILURES, type FoldingNews } from './folding-messages.ts'
import { retryAfter } from './pace.ts'

const SAY_EVERY_MS = MINUTE_MS

export type RetriesDeps = { counts: Float64Array; tell: (news: FoldingNews) => void }

/** Tries again what failed, later each time; says so at once and then once a minute. */
export class Retries {
  readonly #deps: RetriesDeps
  #failures = 0
  #dueAt = 0
  #saidAt = Number.NEGATIVE_INFINITY

  constructor(deps: RetriesDeps) {
    this.#deps = deps
  }

  /** Does it, unless it is not yet time again. @param work answers milliseconds until the next turn */
  async attempt(work: () => Promise<number>): Promise<number> {
    const left = this.#dueAt - performance.now()
    if (this.#failures > 0 && left > 0) return left
    try {
      const pause = await work()
      this.#succeed()
      return pause
    } catch (error) {
      return this.#fail(error as Error)
    }
  }

  #succeed() {
    if (this.#failures === 0) return
    this.#failures = 0
    this.#saidAt = Number.NEGATIVE_INFINITY
    this.#deps.tell({ recovered: true })
  }

  #fail(error: Error): number {
    const { counts, tell } = this.#deps
    counts[FAILURES] = (counts[FAILURES] ?? 0) + 1
    const now = performance.now()
    if (now - this.#saidAt >= SAY_EVERY_MS) {
      this.#saidAt = now
      tell({ failed: error.message })
    }
    const pause = retryAfter(this.#failures++)
    this.#dueAt = now + pause
    return pause
  }
}
