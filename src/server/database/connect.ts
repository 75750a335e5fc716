import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { checkpoints } from './checkpoints.ts'
import { QuickReads } from './quick-reads.ts'
import type { Db, Tables } from './schema.ts'
import { sqliteDialect } from './sqlite-dialect.ts'

// int8 arrives as text by default; our integers are instants and counts, all below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

const POOL_MAX = 10
/** As many as look names up at once: redirects/lookups.ts. */
const LOOKUPS_MAX = 2
const CONNECT_TIMEOUT_MS = 5_000

export type Engine = 'sqlite' | 'postgres'

/** Where scans are if they are in ClickHouse. `cluster` names one in whose replicas all tables are. */
export type ScansPlace = { url: string; cluster?: string | undefined }

/** Where the data lives, in a form that can be handed to a worker thread. */
export type Location =
  | { engine: 'sqlite'; file: string }
  | { engine: 'postgres'; url: string; scans?: ScansPlace | undefined }

/**
 * `db` writes and reads. `reads` is for long reports, which must not delay anything else. `lookups` is
 * for the redirect and for what asks whether the database works: neither waits for a writer or a report.
 */
export type Database = {
  location: Location
  db: Kysely<Tables>
  reads: Kysely<Tables>
  lookups: Kysely<Tables>
  /** On SQLite: what `lookups` does, without a thread. */
  quick?: QuickReads | undefined
  /** On SQLite: empties the write-ahead log, which may hold removed rows. Returns false if it is in use. */
  emptyLog?: () => Promise<boolean>
  close(): Promise<void>
}

export function locationOf(config: {
  databaseUrl?: string
  dataDir: string
  scans?: ScansPlace | undefined
}): Location {
  const { databaseUrl, scans } = config
  if (databaseUrl) return { engine: 'postgres', url: databaseUrl, scans }
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
  const patient = { readonly: true, isLowPriority: true }
  const reads: Db = new Kysely({ dialect: sqliteDialect(location.file, patient) })
  const lookups: Db = new Kysely({ dialect: sqliteDialect(location.file, { readonly: true }) })
  const quick = new QuickReads(location.file)
  const upkeep: Db = new Kysely({ dialect: sqliteDialect(location.file) })
  const { stop, emptyLog } = checkpoints(location.file, upkeep)
  const close = async () => {
    await stop()
    quick.close()
    await lookups.destroy()
    await reads.destroy()
    await db.destroy()
  }
  return { location, db, reads, lookups, quick, emptyLog, close }
}

function connectPostgres(
  location: Location & { engine: 'postgres' },
  onPoolError: (error: Error) => void,
): Database {
  const pool = (max: number): Db => {
    const connections = new pg.Pool({
      connectionString: location.url,
      max,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    })
    // A connection that the server drops must not end the process. The pool reports idle ones. A lent
    // one that is between two statements of a transaction has no other listener.
    connections.on('error', onPoolError)
    connections.on('connect', (client) => client.on('error', onPoolError))
    return new Kysely({ dialect: new PostgresDialect({ pool: connections }) })
  }
  const [db, lookups] = [pool(POOL_MAX), pool(LOOKUPS_MAX)]
  const close = async () => {
    await lookups.destroy()
    await db.destroy()
  }
  return { location, db, reads: db, lookups, close }
}
