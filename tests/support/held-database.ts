import Sqlite from 'better-sqlite3'
import pg from 'pg'
import type { Location } from '../../src/server/database/connect.ts'

/** Locks the table that every scan writes, until `release` is called. */
export async function holdLedger(location: Location): Promise<{ release: () => Promise<void> }> {
  if (location.engine === 'sqlite') {
    const handle = new Sqlite(location.file)
    handle.exec('begin immediate')
    return { release: async () => void handle.exec('rollback').close() }
  }
  const client = new pg.Client({ connectionString: location.url })
  await client.connect()
  await client.query('begin; lock table scans in access exclusive mode')
  return { release: () => client.end() }
}
