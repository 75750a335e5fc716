import Sqlite from 'better-sqlite3'
import pg from 'pg'
import type { Location } from '../database/connect.ts'
import type { LedgerConnection } from './ledger.ts'

/** Waits this long for another process's or thread's write before giving up: the batch is retried. */
const LOCK_TIMEOUT_MS = 2_000
// Every checkpoint writes the log's pages back: larger steps write each hot page less often.
const CHECKPOINT_PAGES = 4_000
const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 10_000

export function openLedger(location: Location): LedgerConnection {
  return location.engine === 'sqlite' ? sqliteLedger(location.file) : postgresLedger(location.url)
}

function sqliteLedger(file: string): LedgerConnection {
  const handle = new Sqlite(file, { timeout: LOCK_TIMEOUT_MS })
  handle.pragma('journal_mode = WAL')
  handle.pragma('synchronous = FULL')
  handle.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
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
    begin: 'begin immediate',
    placeholder: () => '?',
    run(sql, parameters) {
      const statement = prepared(sql)
      if (statement.reader) return statement.all(parameters) as never[]
      statement.run(parameters)
      return []
    },
  }
}

function postgresLedger(url: string): LedgerConnection {
  let client: pg.Client | undefined

  async function connected(): Promise<pg.Client> {
    if (client) return client
    const fresh = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: STATEMENT_TIMEOUT_MS,
    })
    const drop = () => {
      if (client === fresh) client = undefined
    }
    fresh.on('error', drop)
    fresh.on('end', drop)
    await fresh.connect()
    client = fresh
    return fresh
  }

  return {
    begin: 'begin',
    placeholder: (n) => `$${n}`,
    async run(sql, parameters) {
      const connection = await connected()
      try {
        // Named statements are parsed once for each connection.
        const { rows } = await connection.query({
          name: nameOf(sql),
          text: sql,
          values: parameters,
        })
        return rows
      } catch (error) {
        // After a time-out the connection may still be at work: only a new one is in a known state.
        if (!isRefusal(error)) await discard(connection)
        throw error
      }
    },
  }

  async function discard(connection: pg.Client) {
    if (client === connection) client = undefined
    await connection.end().catch(() => {})
  }
}

/** Whether the server itself answered with an error; then the connection is in order. */
function isRefusal(error: unknown): boolean {
  const { code } = error as { code?: string }
  return typeof code === 'string' && /^(?!08|57)[0-9A-Z]{5}$/.test(code)
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
