import Sqlite from 'better-sqlite3'
import pg from 'pg'
import type { Location } from '../../src/server/database/connect.ts'

/** Holds a write open until `release` is called, so that no other connection can write codes. */
export async function holdWriters(location: Location) {
  return location.engine === 'sqlite' ? holdLedger(location) : lockTable(location.url, 'codes')
}

type Held = { release: () => Promise<void>; isWanted?: () => Promise<boolean> }

/** Locks the table that every scan writes, until `release` is called. */
export async function holdLedger(location: Location): Promise<Held> {
  if (location.engine === 'sqlite') {
    const handle = new Sqlite(location.file)
    handle.exec('begin immediate')
    // A connection that waits for SQLite's lock asks again and again, and cannot be seen.
    return { release: async () => void handle.exec('rollback').close() }
  }
  return lockTable(location.url, 'scans')
}

/** Holds up folding, wherever scans are stored, until `release` is called. Figures can be read. */
export async function holdFolding(location: Location): Promise<Held> {
  return location.engine === 'sqlite' ? holdLedger(location) : lockTable(location.url, 'journals')
}

const MODES = { codes: 'exclusive', scans: 'access exclusive', journals: 'exclusive' }

async function lockTable(connectionString: string, table: keyof typeof MODES) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(`begin; lock table ${table} in ${MODES[table]} mode`)
  return {
    release: () => client.end(),
    /** Whether a connection waits for the lock. */
    isWanted: async () => {
      const { rowCount } = await client.query('select 1 from pg_locks where not granted limit 1')
      return rowCount === 1
    },
  }
}
