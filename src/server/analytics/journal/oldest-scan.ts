const MARK_EVERY_MS = 1_000
const MARKS_MAX = 1_000

/**
 * Knows, to about a second, how old the oldest scan behind a position is. While the database is away
 * for long, the older marks stand farther apart.
 */
export class OldestScan {
  #marks: { position: bigint; at: number }[] = []

  /** @param position where a scan of the instant `at` is written */
  mark(position: bigint, at: number) {
    const last = this.#marks.at(-1)
    if (last && Math.abs(at - last.at) < MARK_EVERY_MS) return
    if (this.#marks.length >= MARKS_MAX) {
      this.#marks = this.#marks.filter((_, index) => index % 2 === 0)
    }
    this.#marks.push({ position, at })
  }

  /** The instant of the oldest scan at or behind a position; undefined if none was marked. */
  after(position: bigint): number | undefined {
    const next = this.#marks.findIndex((mark) => mark.position > position)
    const present = next === -1 ? this.#marks.length - 1 : Math.max(0, next - 1)
    this.#marks.splice(0, present)
    return this.#marks[0]?.at
  }
}
