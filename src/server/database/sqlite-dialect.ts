import { Worker } from 'node:worker_threads'
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
import type { Answer, Question } from './sqlite-thread.ts'

/** What SQLite answered; `code` is its result code, such as SQLITE_BUSY. */
export class SqliteFault extends Error {
  readonly code: string | undefined

  constructor(message: string, code: string | undefined) {
    super(message)
    this.code = code
  }
}

/** A thread that only reads ends after so long without a query: it takes 13 MB, and 60 ms to start again. */
const IDLE_MS = 30_000

type Waiter = {
  rows: never[]
  resolve: (result: QueryResult<never>) => void
  reject: (error: Error) => void
}

/** `isLowPriority`: whoever answers redirects goes first where there are not enough cores. */
type Options = { file: string; readonly: boolean; isLowPriority: boolean }

/** One connection: a thread with one handle, asked by message. It never throws: once the thread is gone, each query rejects. */
class ThreadConnection implements DatabaseConnection {
  readonly #thread: Worker | undefined
  readonly #waiting = new Map<number, Waiter>()
  #lastTicket = 0
  #fault: SqliteFault | undefined

  constructor(options: Options) {
    try {
      this.#thread = new Worker(new URL('./sqlite-thread.ts', import.meta.url), {
        workerData: options,
      })
    } catch (error) {
      // The system may have no thread to give.
      this.#fault = new SqliteFault(`no thread: ${(error as Error).message}`, 'CLOSED')
      return
    }
    this.#thread.on('message', (answer: Answer) => this.#settle(answer))
    this.#thread.on('error', (error) => this.#failAll(error as Error))
    this.#thread.on('exit', () => {
      this.#fault = new SqliteFault('the thread ended', 'CLOSED')
      this.#failAll(this.#fault)
    })
  }

  get isOpen() {
    return !this.#fault
  }

  executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#fault) return Promise.reject(this.#fault)
    const ticket = ++this.#lastTicket
    return new Promise((resolve, reject) => {
      this.#waiting.set(ticket, { rows: [], resolve, reject } as unknown as Waiter)
      this.#ask({ ticket, sql, parameters })
    })
  }

  // biome-ignore lint/correctness/useYield: the interface asks for it, and we never stream
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('SQLite results are not streamed')
  }

  async close(): Promise<void> {
    if (!this.isOpen) return
    const ended = new Promise<void>((resolve) => this.#thread?.once('exit', () => resolve()))
    this.#thread?.postMessage('close')
    await ended
  }

  #ask(question: Question) {
    this.#thread?.postMessage(question)
  }

  /** We ask for each part of a long answer, so that this thread serves requests between the parts. */
  #settle(answer: Answer) {
    const { ticket } = answer
    const waiter = this.#waiting.get(ticket)
    if (!waiter) return
    if ('error' in answer) {
      this.#waiting.delete(ticket)
      return waiter.reject(new SqliteFault(answer.error.message, answer.error.code))
    }
    waiter.rows.push(...(answer.rows as never[]))
    if (!answer.isLast) return this.#ask({ ticket, more: true })
    this.#waiting.delete(ticket)
    waiter.resolve({ rows: waiter.rows, numAffectedRows: BigInt(answer.changes) })
  }

  #failAll(error: Error) {
    for (const waiter of this.#waiting.values()) waiter.reject(error)
    this.#waiting.clear()
  }
}

/**
 * Holds the one connection. Kysely lends it to one caller at a time, because SqliteAdapter says
 * that there is only one.
 */
class ThreadDriver implements Driver {
  readonly #options: Options
  #connection: ThreadConnection | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(options: Options) {
    this.#options = options
  }

  async init() {}

  /** Invariant: it never throws. Kysely has locked the connection by now and would never unlock it. */
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
    await execute(connection, 'rollback').catch((error: SqliteFault) => {
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
