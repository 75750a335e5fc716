/**
 * What we know to be in the database, so that it need not be written again. What a transaction wrote
 * is known to all once that is committed.
 */
export class KnownRows<Key> {
  readonly #max: number
  readonly #committed = new Set<Key>()
  readonly #written = new Set<Key>()

  /** @param max forgets all once it knows more */
  constructor(max: number) {
    this.#max = max
  }

  has(key: Key): boolean {
    return this.#committed.has(key) || this.#written.has(key)
  }

  add(key: Key) {
    this.#written.add(key)
  }

  commit() {
    if (this.#committed.size > this.#max) this.#committed.clear()
    for (const key of this.#written) this.#committed.add(key)
    this.#written.clear()
  }

  /** The transaction, or a part of it, was taken back. */
  undo() {
    this.#written.clear()
  }

  clear() {
    this.#committed.clear()
    this.#written.clear()
  }
}
