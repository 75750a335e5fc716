import { AppError, tryAgainIn } from '../../http/errors.ts'
import type { openAtOnce } from '../../http/limits/limits.ts'

/** When somebody who was refused may try again. */
const RETRY_AFTER_S = 60

type OpenLimit = (typeof openAtOnce)[keyof typeof openAtOnce]

/** How many are open at the same time, of each owner and together. */
export class OpenPlaces {
  readonly #limit: OpenLimit
  readonly #open = new Map<string, number>()
  #all = 0

  constructor(limit: OpenLimit) {
    this.#limit = limit
  }

  /** @throws AppError rate_limited where its owner has too many open, busy where all together have */
  check(owner: string) {
    if (this.#all >= this.#limit.atOnce) throw new AppError('busy')
    if ((this.#open.get(owner) ?? 0) < this.#limit.atOnceEach) return
    throw tryAgainIn(RETRY_AFTER_S, 'rate_limited')
  }

  take(owner: string) {
    this.#all++
    this.#open.set(owner, (this.#open.get(owner) ?? 0) + 1)
  }

  leave(owner: string) {
    this.#all--
    const left = (this.#open.get(owner) ?? 0) - 1
    if (left > 0) this.#open.set(owner, left)
    else this.#open.delete(owner)
  }
}
