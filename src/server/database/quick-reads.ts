import type Sqlite from 'better-sqlite3'
import type { Compilable } from 'kysely'
import { orMade } from '../or-made.ts'
import { openSqlite } from './sqlite-handle.ts'

/** An answer that takes longer comes from a disk that has to search, or hangs. */
const SLOW_MS = 10
/** After a slow answer, reads pause for this many times its time: they have a tenth of the thread's time. */
const PAUSE_PER_SLOW = 10
const PAUSE_AFTER_ERROR_MS = 1_000

/**
 * Reads of SQLite in the thread that asks: for a few rows by their key, a message to another thread
 * costs more than the answer. A reader of a write-ahead log waits for no writer. A caller needs
 * another way as well, for the time in which this one does not answer.
 */
export class QuickReads {
  readonly #file: string
  readonly #now: () => number
  #handle: Sqlite.Database | undefined
  readonly #statements = new Map<string, Sqlite.Statement>()
  #pausedUntil = Number.NEGATIVE_INFINITY

  /** Opens the file at the first question. */
  constructor(file: string, now: () => number = () => performance.now()) {
    this.#file = file
    this.#now = now
  }

  /** Returns the rows of this query, also with other parameters; undefined if it cannot read now. */
  prepare<Row>(query: Compilable<Row>): (parameters?: readonly unknown[]) => Row[] | undefined {
    const { sql, parameters: own } = query.compile()
    return (parameters = own) => this.#answer(sql, parameters) as Row[] | undefined
  }

  close() {
    this.#pausedUntil = Number.POSITIVE_INFINITY
    this.#forget()
  }

  #answer(sql: string, parameters: readonly unknown[]): unknown[] | undefined {
    const began = this.#now()
    if (began < this.#pausedUntil) return undefined
    try {
      const rows = this.#statement(sql).all(parameters)
      const ended = this.#now()
      const took = ended - began
      if (took > SLOW_MS) this.#pausedUntil = ended + PAUSE_PER_SLOW * took
      return rows
    } catch {
      // The other way reports the fault.
      this.#pausedUntil = this.#now() + PAUSE_AFTER_ERROR_MS
      this.#forget()
      return undefined
    }
  }

  #statement(sql: string): Sqlite.Statement {
    this.#handle ??= openSqlite(this.#file, { readonly: true, timeoutMs: 0 })
    const handle = this.#handle
    return orMade(this.#statements, sql, () => handle.prepare(sql))
  }

  #forget() {
    this.#statements.clear()
    this.#handle?.close()
    this.#handle = undefined
  }
}
