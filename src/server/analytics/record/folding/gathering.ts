/** Codes that persons have scanned; `many` of more than can be named. */
export type Scanned = Iterable<string> | 'many'

export type GatheringDeps = {
  /** Milliseconds between two calls of `tell` */
  everyMs: number
  codesMax: number
  tell: (scanned: string[] | 'many') => void
}

/** Tells of scanned codes at once, and then not before its time is over: each code once. */
export class Gathering {
  readonly #deps: GatheringDeps
  #codes = new Set<string>()
  #areMany = false
  #toldAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  constructor(deps: GatheringDeps) {
    this.#deps = deps
  }

  add(scanned: Scanned) {
    this.#take(scanned)
    if (this.#isEmpty || this.#timer) return
    const left = this.#toldAt + this.#deps.everyMs - performance.now()
    if (left <= 0) this.flush()
    else this.#timer = setTimeout(() => this.flush(), left).unref()
  }

  /** Tells of what is left now. */
  flush() {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#isEmpty) return
    const scanned = this.#areMany ? 'many' : [...this.#codes]
    this.#codes = new Set()
    this.#areMany = false
    this.#toldAt = performance.now()
    this.#deps.tell(scanned)
  }

  get #isEmpty(): boolean {
    return !this.#areMany && this.#codes.size === 0
  }

  #take(scanned: Scanned) {
    if (scanned === 'many') this.#areMany = true
    if (scanned === 'many' || this.#areMany) return
    for (const code of scanned) this.#codes.add(code)
    this.#areMany = this.#codes.size > this.#deps.codesMax
  }
}
