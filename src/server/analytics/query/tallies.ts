/** Something that is counted in parts. `bytes` is about what it takes in memory. */
export type Counted<Self> = { addAll: (other: Self) => void; readonly bytes: number }

const ENTRY_BYTES = 200

/** How many scans have each key. */
export class Tally<Key> extends Map<Key, number> implements Counted<Tally<Key>> {
  add(key: Key, scans: number) {
    this.set(key, (this.get(key) ?? 0) + scans)
  }

  addAll(other: Tally<Key>) {
    for (const [key, scans] of other) this.add(key, scans)
  }

  get bytes(): number {
    return ENTRY_BYTES * (1 + this.size)
  }
}
