import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import pg from 'pg'
import type { Location } from '../../database/connect.ts'
import type { Db, Tables } from '../../database/schema.ts'
import { openSqlite } from '../../database/sqlite-handle.ts'

const LOCK_TIMEOUT_MS = 10_000
const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 20_000

/** A thread's own connection, to read from. */
export function threadReads(location: Location): Db {
  return new Kysely<Tables>({ dialect: dialectOf(location) })
}

/** SQLite's handle is in this very thread: who else would wait for it? */
function dialectOf(location: Location) {
  if (location.engine === 'sqlite') {
    const handle = openSqlite(location.file, { readonly: true, timeoutMs: LOCK_TIMEOUT_MS })
    return new SqliteDialect({ database: handle })
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
