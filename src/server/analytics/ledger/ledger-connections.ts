import type Sqlite from 'better-sqlite3'
import pg from 'pg'
import type { Location } from '../../database/connect.ts'
import { openSqlite } from '../../database/sqlite-handle.ts'
import type { LedgerConnection } from './ledger.ts'

/** How long a commit waits for another writer before it fails and is tried again. */
const LOCK_TIMEOUT_MS = 2_000
const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 10_000
const KEEP_ALIVE_MS = 10_000
/** The repeated commit waits for our old locks, so a server that missed our end must release them. */
const SERVER_LIMITS = `set statement_timeout = ${STATEMENT_TIMEOUT_MS};
set idle_in_transaction_session_timeout = ${STATEMENT_TIMEOUT_MS}`

export function openLedger(location: Location): LedgerConnection {
  return location.engine === 'sqlite' ? sqliteLedger(location.file) : postgresLedger(location.url)
}

function sqliteLedger(file: string): LedgerConnection {
  const handle = openSqlite(file, { timeoutMs: LOCK_TIMEOUT_MS })
  const statements = new Map<string, Sqlite.Statement>()

  function prepared(sql: string): Sqlite.Statement {
    let statement = statements.get(sql)
    if (!statement) {
      statement = handle.prepare(sql)
      statements.set(sql, statement)
    }
    return statement
  }

  return {
    engine: 'sqlite',
    begin: 'begin immediate',
    placeholder: () => '?',
    run(sql, parameters) {
      const statement = prepared(sql)
      if (statement.reader) return statement.all(parameters) as never[]
      statement.run(parameters)
      return []
    },
    // If a transaction could not be rolled back, every later BEGIN would fail.
    get isUsable() {
      return handle.open && !handle.inTransaction
    },
    close: () => handle.close(),
  }
}

/**
 * One connection, which never reconnects by itself: the next statement would run outside the
 * transaction that the loss undid.
 */
function postgresLedger(url: string): LedgerConnection {
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

  return {
    engine: 'postgres',
    begin: 'begin',
    placeholder: (n) => `$${n}`,
    async run(sql, parameters) {
      try {
        connected ??= connect()
        await connected
        // The server parses a named statement once for each connection.
        const { rows } = await client.query({ name: nameOf(sql), text: sql, values: parameters })
        return rows
      } catch (error) {
        // After a timeout the statement may still run, so no other may queue behind it.
        if (!(error instanceof pg.DatabaseError)) close()
        throw error
      }
    },
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
    name = `ledger_${names.size}`
    names.set(sql, name)
  }
  return name
}
