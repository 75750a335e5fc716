import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { Checkpoints } from './checkpoints.ts'
import type { Db, Tables } from './schema.ts'
import { sqliteDialect } from './sqlite-dialect.ts'

// int8 arrives as text by default; our integers are instants and counts, all below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

const POOL_MAX = 10
const CONNECT_TIMEOUT_MS = 5_000

export type Engine = 'sqlite' | 'postgres'

/** Where the data lives, in a form that can be handed to a worker thread. */
export type Location = { engine: 'sqlite'; file: string } | { engine: 'postgres'; url: string }

/** `db` writes and reads. `reads` is for long reports, which must not delay anything else. */
export type Database = {
  location: Location
  db: Kysely<Tables>
  reads: Kysely<Tables>
  close(): Promise<void>
}

export function locationOf(config: { databaseUrl?: string; dataDir: string }): Location {
  if (config.databaseUrl) return { engine: 'postgres', url: config.databaseUrl }
  return { engine: 'sqlite', file: join(config.dataDir, 'tessera.sqlite') }
}

/** Opens the database. Nothing is connected before the first query. */
export function connect(location: Location, onPoolError: (error: Error) => void): Database {
  return location.engine === 'sqlite'
    ? connectSqlite(location)
    : connectPostgres(location, onPoolError)
}

function connectSqlite(location: Location & { engine: 'sqlite' }): Database {
  mkdirSync(join(location.file, '..'), { recursive: true })
  const db: Db = new Kysely({ dialect: sqliteDialect(location.file) })
  const reads: Db = new Kysely({ dialect: sqliteDialect(location.file, { readonly: true }) })
  const upkeep: Db = new Kysely({ dialect: sqliteDialect(location.file) })
  const checkpoints = new Checkpoints(location.file, upkeep)
  checkpoints.start()
  const close = async () => {
    await checkpoints.stop()
    await reads.destroy()
    await db.destroy()
  }
  return { location, db, reads, close }
}

function connectPostgres(
  location: Location & { engine: 'postgres' },
  onPoolError: (error: Error) => void,
): Database {
  const pool = new pg.Pool({
    connectionString: location.url,
    max: POOL_MAX,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  // A connection that the server drops must not end the process. The pool reports idle ones. A lent
  // one that is between two statements of a transaction has no other listener.
  pool.on('error', onPoolError)
  pool.on('connect', (client) => client.on('error', onPoolError))
  const db: Db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  return { location, db, reads: db, close: () => db.destroy() }
}
