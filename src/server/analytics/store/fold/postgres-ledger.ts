import pg from 'pg'
import { orMade } from '../../../or-made.ts'
import { shareTotals } from '../ledger/totals.ts'
import {
  ASK_MARKS,
  type Cell,
  type Columns,
  type Done,
  type FoldMarks,
  insertionOfScans,
  KINDS,
  LedgerTables,
  quoted,
  SCANS,
} from './ledger-tables.ts'

/** One round trip; each statement sees what was committed before it began. */
const BEGIN = `begin; ${shareTotals}; ${ASK_MARKS}`

export class PostgresLedger extends LedgerTables {
  readonly #line: PostgresLine

  constructor(url: string) {
    super()
    this.#line = openPostgresLine(url)
  }

  protected table(columns: Columns): string {
    const arrays = Object.values(columns).map((type) => `?::${type}[]`)
    return `(select * from unnest(${arrays}) as rows(${quoted(columns)}))`
  }

  protected cellsOf(columns: Columns, rows: readonly object[]): Cell[] {
    return Object.entries(columns).map(([name, type]) => {
      const cells = rows.map((row) => row[name as keyof typeof row])
      // An array of numbers travels as the text that PostgreSQL reads.
      return type === 'text' ? cells : `{${cells.map((cell) => cell ?? 'NULL')}}`
    })
  }

  protected async run<Row>(sql: string, ...cells: Cell[]): Promise<Done<Row>> {
    const { rowCount, rows } = await this.#line.run(sql, cells)
    return { changes: rowCount ?? 0, rows }
  }

  protected each(columns: Columns, rows: readonly object[], sqlOf: (table: string) => string) {
    return this.run(sqlOf(this.table(columns)), ...this.cellsOf(columns, rows))
  }

  protected async insertScans(rows: object[], kinds: object[]): Promise<number> {
    const sql = insertionOfScans(this.table(SCANS), this.table(KINDS))
    const cells = [...this.cellsOf(SCANS, rows), ...this.cellsOf(KINDS, kinds)]
    return (await this.run(sql, ...cells)).changes
  }

  async begin(): Promise<FoldMarks> {
    const marks = (await this.#line.runAll(BEGIN)).at(-1)?.rows[0] ?? {}
    const numbered = Object.entries(marks).map(([name, at]) => [name, Number(at)])
    return Object.fromEntries(numbered)
  }

  async rollback() {
    await this.run('rollback')
  }

  close() {
    this.#line.close()
  }
}

const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 10_000
/** Then the log says that scans wait, as soon as SQLite does, and the fold is tried again. */
const LOCK_TIMEOUT_MS = 2_000
const KEEP_ALIVE_MS = 10_000
/** A repeated fold waits for our old locks, so a server that missed our end must release them. */
const SERVER_LIMITS = `set statement_timeout = ${STATEMENT_TIMEOUT_MS};
set lock_timeout = ${LOCK_TIMEOUT_MS};
set idle_in_transaction_session_timeout = ${STATEMENT_TIMEOUT_MS}`

/** One connection to PostgreSQL. After it is lost, every call fails. */
export type PostgresLine = {
  /** The statement has a `?` for each value. */
  run(sql: string, values?: Cell[]): Promise<pg.QueryResult>
  /** Several statements without parameters, divided by semicolons, in one round trip. */
  runAll(sql: string): Promise<pg.QueryResult[]>
  readonly isUsable: boolean
  close(): void
}

/**
 * Connects at the first statement and never again: after a loss the next statement would run outside
 * the transaction that the loss undid.
 */
export function openPostgresLine(url: string): PostgresLine {
  let isUsable = true
  let connected: Promise<void> | undefined
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  })
  const lost = () => {
    isUsable = false
  }
  client.on('error', lost)
  client.on('end', lost)

  async function connect() {
    await client.connect()
    await client.query(SERVER_LIMITS)
  }

  function close() {
    isUsable = false
    client.end().catch(() => {})
  }

  async function ask(query: pg.QueryConfig) {
    try {
      connected ??= connect()
      await connected
      return await client.query(query)
    } catch (error) {
      // After a timeout the statement may still run, so no other may queue behind it.
      if (!(error instanceof pg.DatabaseError)) close()
      throw error
    }
  }

  return {
    run: (sql, values = []) => ask({ ...statementOf(sql), values }),
    runAll: async (sql) => [await ask({ text: sql })].flat(),
    get isUsable() {
      return isUsable
    },
    close,
  }
}

/** The server parses a named statement once for each connection. */
const statements = new Map<string, { name: string; text: string }>()

const statementOf = (sql: string) =>
  orMade(statements, sql, () => {
    let cells = 0
    const text = sql.replace(/\?/g, () => `$${++cells}`)
    return { name: `fold_${statements.size}`, text }
  })
