import { join } from 'node:path'
import { sql } from 'kysely'
import { readIfThere } from '../data-folder.ts'
import type { Database } from '../database/connect.ts'
import type { Db } from '../database/schema.ts'
import { migrationsOf } from '../database/schema-version.ts'
import { setMark } from '../database/service-marks.ts'
import { atOneInstant } from '../database/transact.ts'
import { BackupWriter, type Tally } from './backup-file.ts'
import { sealSecret } from './sealed-secret.ts'
import { readTable, tablesOf } from './table-rows.ts'

export type BackupDeps = {
  database: Database
  dataDir: string
  /** The session secret, and the key that encrypts it; without a key the backup leaves it out */
  secret: string
  backupKey: string | undefined
  version: string
  /** The segments of the journals in DATA_DIR, by their paths in it */
  segmentsIn: (dataDir: string) => string[]
}

export type BackupReport = Tally & {
  at: number
  hasSecret: boolean
  /** Whether scans are in ClickHouse, and not in the backup. */
  lacksScans: boolean
  /** Journals of other machines: the scans in them are not in the backup */
  missing: string[]
}

/**
 * Writes a backup beside the running service. It holds each scan that was answered before `now`: the
 * journals come first, so that what is folded after that is in the database, which is read as of one instant.
 * @throws what the system says, and leaves no file of this name
 */
export async function makeBackup(deps: BackupDeps, file: string, now: Date): Promise<BackupReport> {
  const { database, secret, backupKey, version } = deps
  const { location } = database
  const scansIn = location.engine === 'postgres' && location.scans ? 'ClickHouse' : undefined
  const at = now.getTime()
  const writer = new BackupWriter(file)
  try {
    const sealed = backupKey === undefined ? null : sealSecret(secret, backupKey)
    await writer.begin({ at, version, secret: sealed, scansIn })
    const journals = await addJournals(writer, deps)
    const missing = await atOneInstant(database, async (db) => {
      await addDatabase(writer, db, location.engine)
      const { rows } = await sql<{ id: string }>`select id from journals order by id`.execute(db)
      return rows.map(({ id }) => id).filter((id) => !journals.has(id))
    })
    await writer.end(missing)
    await setMark(database.db, 'backup', { at, value: file })
    return {
      at,
      ...writer.tally,
      hasSecret: sealed !== null,
      lacksScans: scansIn !== undefined,
      missing,
    }
  } catch (error) {
    await writer.abandon()
    throw error
  }
}

/** Copies the segments of all journals, without the zeros at their ends. Returns the journals' ids. */
async function addJournals(writer: BackupWriter, { dataDir, segmentsIn }: BackupDeps) {
  const journals = new Set<string>()
  for (const path of segmentsIn(dataDir)) {
    journals.add(path.split('/')[1] ?? '')
    // One that is gone was folded a moment ago.
    const bytes = readIfThere(join(dataDir, path))
    const end = bytes?.findLastIndex((byte) => byte !== 0) ?? 0
    if (bytes) await writer.addFile(path, bytes.subarray(0, end + 1))
  }
  return journals
}

async function addDatabase(writer: BackupWriter, db: Db, engine: 'sqlite' | 'postgres') {
  await writer.beginDatabase(engine, (await migrationsOf(db)).at(-1) ?? '')
  for (const table of await tablesOf(db, engine)) {
    const names = table.columns.map(({ name }) => name)
    await writer.addTable(table.name, names, readTable(db, engine, table))
  }
}
