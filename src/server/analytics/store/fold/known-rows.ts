import type { FoldScan } from '../fold-scan.ts'
import type { AgentRow, LedgerTables } from './ledger-tables.ts'

/**
 * Keys of rows that we know to be in the database, so that we need not write them again. The rows of a
 * transaction are known to all once it is committed.
 */
export class KnownRows<Key extends string | number> {
  readonly #max: number
  /** A plain set, because an LRU cache took a tenth of the folding thread. */
  readonly #committed = new Set<Key>()
  readonly #written = new Set<Key>()

  /** @param max once it knows more, it forgets all */
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

/** Distinct User-Agents that are stored, of 512 characters at most: far more than there are browsers. */
const AGENTS_MAX = 100_000
/** New User-Agents after which we count again how many all processes have stored. */
const RECOUNT_AFTER = 1_000
const AGENTS_KEPT = 20_000

/** The User-Agents that the database has. Once its table is full, it takes no new ones. */
export class StoredAgents extends KnownRows<number> {
  readonly #max: number
  /** New agents that may be stored until the next count. */
  #left = 0
  #isFull = false

  constructor(max = AGENTS_MAX) {
    super(AGENTS_KEPT)
    this.#max = max
  }

  /** Writes the agents of these scans; it then knows those that the table has. */
  async store(tables: LedgerTables, scans: FoldScan[]): Promise<void> {
    const added = new Map<number, AgentRow>()
    for (const { kind } of scans) {
      const { agentId: id } = kind
      if (!this.has(id) && !added.has(id)) added.set(id, { id, text: kind.attributes.agent })
    }
    if (added.size === 0) return
    const rows = [...added.values()].sort((one, other) => one.id - other.id)
    if (await this.#takesMore(tables)) {
      this.#left -= await tables.addAgents(rows)
      for (const { id } of rows) this.add(id)
    } else {
      for (const id of await tables.agentsAmong(rows.map(({ id }) => id))) this.add(id)
    }
  }

  /** Also that the table is full. */
  override clear() {
    super.clear()
    this.#left = 0
    this.#isFull = false
  }

  /** Whether the table has room, to about a thousand agents a process. */
  async #takesMore(tables: LedgerTables): Promise<boolean> {
    if (this.#left > 0) return true
    if (this.#isFull) return false
    this.#left = Math.min(RECOUNT_AFTER, this.#max - (await tables.countAgents()))
    this.#isFull = this.#left <= 0
    return !this.#isFull
  }
}
