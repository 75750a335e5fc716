/** Runs work one after the other for each key, and for different keys at once. */
export class OneAtATime {
  /** Invariant: holds a key only while work of that key is under way or waits. */
  readonly #tails = new Map<string, Promise<unknown>>()

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve()
    const mine = before.then(work, work)
    const tail = mine.catch(() => {})
    this.#tails.set(key, tail)
    try {
      return await mine
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key)
    }
  }
}
