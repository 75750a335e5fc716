import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { WorkThread } from '../work-threads.ts'
import type { Question, SqlAnswer, ThreadData } from './sqlite-thread.ts'

/** A thread that only reads ends after this time without a query: it takes 13 MB, and 60 ms to start again. */
const IDLE_MS = 30_000

/** One connection: a thread with one handle, asked by message. It never throws: each query of a lost thread rejects. */
class ThreadConnection implements DatabaseConnection {
  readonly #thread: WorkThread<Question, SqlAnswer>

  constructor(data: ThreadData) {
    const thread = new URL('./sqlite-thread.ts', import.meta.url)
    this.#thread = new WorkThread({ thread, data })
  }

  get isOpen() {
    return !this.#thread.hasEnded
  }

  /** Asks for each part of a long answer, so that this thread serves requests between the parts. */
  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const first = await this.#thread.perform({ sql, parameters })
    const rows = first.rows as R[]
    for (let part = first; part.rest !== undefined; ) {
      part = await this.#thread.perform({ more: part.rest })
      rows.push(...(part.rows as R[]))
    }
    return { rows, numAffectedRows: BigInt(first.changes) }
  }

  // biome-ignore lint/correctness/useYield: the interface asks for it, and we never stream
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('SQLite results are not streamed')
  }

  async close(): Promise<void> {
    // A thread that is lost has no handle any more.
    await this.#thread.perform('close').catch(() => {})
    await this.#thread.end()
  }
}

/**
 * Holds the one connection. Kysely lends it to one caller at a time, because SqliteAdapter says
 * that there is only one.
 */
class ThreadDriver implements Driver {
  readonly #options: ThreadData
  #connection: ThreadConnection | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(options: ThreadData) {
    this.#options = options
  }

  async init() {}

  /** Invariant: it never throws. Kysely has already locked the connection and would never unlock it. */
  async acquireConnection(): Promise<DatabaseConnection> {
    clearTimeout(this.#idle)
    if (!this.#connection?.isOpen) {
      this.#connection = new ThreadConnection(this.#options)
    }
    return this.#connection
  }

  async releaseConnection() {
    if (this.#options.readonly) this.#idle = setTimeout(() => void this.destroy(), IDLE_MS).unref()
  }

  // IMMEDIATE: a deferred transaction that reads first and writes later fails
  // with SQLITE_BUSY_SNAPSHOT when the folding thread commits in between.
  async beginTransaction(connection: DatabaseConnection) {
    await execute(connection, 'begin immediate')
  }

  async commitTransaction(connection: DatabaseConnection) {
    await execute(connection, 'commit')
  }

  async rollbackTransaction(connection: DatabaseConnection) {
    // SQLite itself rolls back on some errors (disk full); then there is nothing left to undo.
    await execute(connection, 'rollback').catch((error: Error) => {
      if (!error.message.includes('no transaction is active')) throw error
    })
  }

  async destroy() {
    clearTimeout(this.#idle)
    const connection = this.#connection
    this.#connection = undefined
    await connection?.close()
  }
}

function execute(connection: DatabaseConnection, sql: string) {
  return connection.executeQuery({ sql, parameters: [], query: {}, queryId: {} } as never)
}

/** Kysely's SQLite dialect over a thread of its own, which starts at the first query. */
export function sqliteDialect(
  file: string,
  { readonly = false, isLowPriority = false } = {},
): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new ThreadDriver({ file, readonly, isLowPriority }),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}
