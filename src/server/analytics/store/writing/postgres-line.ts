import pg from 'pg'

const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 10_000
/** Then the log says that scans wait, as soon as SQLite does, and the fold is tried again. */
const LOCK_TIMEOUT_MS = 2_000
const KEEP_ALIVE_MS = 10_000
/** A repeated fold waits for our old locks, so a server that missed our end must release them. */
const SERVER_LIMITS = `set statement_timeout = ${STATEMENT_TIMEOUT_MS};
set lock_timeout = ${LOCK_TIMEOUT_MS};
set idle_in_transaction_session_timeout = ${STATEMENT_TIMEOUT_MS}`

/** A cell; an array of numbers travels as the text that `numbers` makes. */
export type PgValue = string | number | null | (string | null)[]

/** One connection to PostgreSQL. After it is lost, every call fails. */
export type PostgresLine = {
  run(sql: string, values?: PgValue[]): Promise<pg.QueryResult>
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
    // The server parses a named statement once for each connection.
    run: (sql, values = []) => ask({ name: nameOf(sql), text: sql, values }),
    runAll: async (sql) => [await ask({ text: sql })].flat(),
    get isUsable() {
      return isUsable
    },
    close,
  }
}

const names = new Map<string, string>()

function nameOf(sql: string): string {
  let name = names.get(sql)
  if (!name) {
    name = `fold_${names.size}`
    names.set(sql, name)
  }
  return name
}

/** An array of numbers as PostgreSQL reads it. */
export const numbers = (cells: (number | null)[]) => `{${cells.map((cell) => cell ?? 'NULL')}}`
