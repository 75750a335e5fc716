import fs from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { FileMigrationProvider, Migrator } from 'kysely/migration'
import { ConfigError } from '../config.ts'
import type { Database } from './connect.ts'

const provider = new FileMigrationProvider({
  fs,
  path,
  migrationFolder: fileURLToPath(new URL('./migrations', import.meta.url)),
  import: (file) => import(pathToFileURL(file).href),
})

/**
 * Brings the database up to date, forward only, in the order of the files' names. Several processes may
 * run it at once: Kysely's advisory lock on PostgreSQL and one write transaction on SQLite keep
 * them apart.
 */
export async function migrate(database: Database): Promise<void> {
  if (database.location.engine === 'postgres') return migrateToLatest(database.db)
  await database.db.connection().execute(async (connection) => {
    await sql`begin immediate`.execute(connection)
    try {
      await migrateToLatest(connection)
      await sql`commit`.execute(connection)
    } catch (error) {
      await sql`rollback`.execute(connection)
      throw error
    }
  })
}

/**
 * Brings the tables up to a migration, or to the newest, in the transaction of this connection.
 * @throws ConfigError if this version does not know the migration
 */
export async function migrateIn(db: Database['db'], name?: string): Promise<void> {
  const known = Object.keys(await provider.getMigrations())
  if (name !== undefined && !known.includes(name)) {
    throw new ConfigError(`It is of a newer version of Tessera: this one does not know ${name}`)
  }
  const migrator = new Migrator({ db, provider, disableTransactions: true })
  const { error } = await migrator.migrateTo(name ?? known.sort().at(-1) ?? '')
  if (error) throw error
}

async function migrateToLatest(db: Database['db']) {
  const { error } = await new Migrator({ db, provider }).migrateToLatest()
  if (error) throw error
}
