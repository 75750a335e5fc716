const MARK_EVERY_MS = 1_000
const MARKS_MAX = 1_000

/** Groups that begin at positions up to `until`, the first one with a scan of the instant `at`. */
type Mark = { until: bigint; at: number }

/**
 * Knows, to about a second, how old the oldest scan is that is not folded. While the database is away
 * for long, the marks stand farther apart.
 */
export class OldestScan {
  #marks: Mark[] = []
  #everyMs = MARK_EVERY_MS

  /**
   * @param position where a group begins whose first scan is of the instant `at`; they come in order
   * @param folded how far the journal is folded: what lies before need not be known
   */
  mark(position: bigint, at: number, folded: bigint) {
    const last = this.#marks.at(-1)
    if (last && at - last.at < this.#everyMs) {
      last.until = position
      return
    }
    this.after(folded)
    if (this.#marks.length >= MARKS_MAX) this.#thin()
    this.#marks.push({ until: position, at })
  }

  /** The instant of the oldest scan if all before `folded` is folded; undefined if there is none. */
  after(folded: bigint): number | undefined {
    const oldest = this.#marks.findIndex(({ until }) => until >= folded)
    this.#marks.splice(0, oldest === -1 ? this.#marks.length : oldest)
    if (oldest === -1) this.#everyMs = MARK_EVERY_MS
    return this.#marks[0]?.at
  }

  /** Puts two and two together. */
  #thin() {
    const thinned: Mark[] = []
    for (const [index, { until, at }] of this.#marks.entries()) {
      const last = thinned.at(-1)
      if (index % 2 === 1 && last) last.until = until
      else thinned.push({ until, at })
    }
    this.#marks = thinned
    this.#everyMs *= 2
  }
}
