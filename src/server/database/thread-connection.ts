import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import pg from 'pg'
import type { Location } from './connect.ts'
import type { Db, Tables } from './schema.ts'
import { openSqlite } from './sqlite-handle.ts'

const LOCK_TIMEOUT_MS = 10_000
const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 20_000

type Options = {
  readonly?: boolean
  /** How long a statement waits for another writer of SQLite */
  timeoutMs?: number
}

/** A connection of a worker thread. SQLite's handle is in this thread: no other work has to wait for it. */
export function threadConnection(location: Location, options?: Options): Db {
  return new Kysely<Tables>({ dialect: dialectOf(location, options) })
}

function dialectOf(
  location: Location,
  { readonly = true, timeoutMs = LOCK_TIMEOUT_MS }: Options = {},
) {
  if (location.engine === 'sqlite') {
    return new SqliteDialect({ database: openSqlite(location.file, { readonly, timeoutMs }) })
  }
  pg.types.setTypeParser(pg.types.builtins.INT8, Number)
  const pool = new pg.Pool({
    connectionString: location.url,
    max: 1,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
  })
  // One that the server drops is replaced at the next task.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return new PostgresDialect({ pool })
}
