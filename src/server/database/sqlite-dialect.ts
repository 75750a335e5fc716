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

type Waiter = {
  rows: never[]
  resolve: (result: QueryResult<never>) => void
  reject: (error: Error) => void
}

/** One connection: a thread with one handle, asked by message. */
class ThreadConnection implements DatabaseConnection {
  readonly #thread: Worker
  readonly #waiting = new Map<number, Waiter>()
  #lastTicket = 0
  #ended = false

  constructor(file: string, readonly: boolean) {
    this.#thread = new Worker(new URL('./sqlite-thread.ts', import.meta.url), {
      workerData: { file, readonly },
    })
    this.#thread.on('message', (answer: Answer) => this.#settle(answer))
    this.#thread.on('error', (error) => this.#failAll(error as Error))
    this.#thread.on('exit', () => {
      this.#ended = true
      this.#failAll(new SqliteFault('the thread ended', 'CLOSED'))
    })
  }

  get ended() {
    return this.#ended
  }

  executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#ended) return Promise.reject(new SqliteFault('the thread ended', 'CLOSED'))
    const ticket = ++this.#lastTicket
    return new Promise((resolve, reject) => {
      this.#waiting.set(ticket, { rows: [], resolve, reject } as unknown as Waiter)
      this.#ask({ ticket, sql, parameters })
    })
  }

  // biome-ignore lint/correctness/useYield: the interface asks for it; nobody here streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('SQLite results are not streamed')
  }

  async close(): Promise<void> {
    if (this.#ended) return
    const ended = new Promise<void>((resolve) => this.#thread.once('exit', () => resolve()))
    this.#thread.postMessage('close')
    await ended
  }

  #ask(question: Question) {
    this.#thread.postMessage(question)
  }

  /** The next part is asked for, never sent unasked: requests are answered while it comes. */
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

/** Hands out the one connection in turn: a transaction keeps it until it ends. */
class ThreadDriver implements Driver {
  readonly #file: string
  readonly #readonly: boolean
  #connection: ThreadConnection | undefined
  #turn: Promise<void> = Promise.resolve()
  #release: () => void = () => {}

  constructor(file: string, readonly: boolean) {
    this.#file = file
    this.#readonly = readonly
  }

  async init() {
    this.#connection = this.#open()
  }

  #open() {
    return new ThreadConnection(this.#file, this.#readonly)
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#turn
    let release = () => {}
    this.#turn = new Promise((resolve) => {
      release = resolve
    })
    await before
    this.#release = release
    if (!this.#connection || this.#connection.ended) this.#connection = this.#open()
    return this.#connection
  }

  async releaseConnection() {
    this.#release()
  }

  // IMMEDIATE: a deferred transaction that reads first and writes later fails
  // with SQLITE_BUSY_SNAPSHOT when the recorder commits in between.
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
    await this.#connection?.close()
  }
}

function execute(connection: DatabaseConnection, sql: string) {
  return connection.executeQuery({ sql, parameters: [], query: {}, queryId: {} } as never)
}

/** Kysely's SQLite dialect over a thread of its own. Started on first use. */
export function sqliteDialect(file: string, { readonly = false } = {}): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new ThreadDriver(file, readonly),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}
