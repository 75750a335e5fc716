import { existsSync, readdirSync } from 'node:fs'
import { sql } from 'kysely'
import { type Config, ConfigError } from '../src/server/config.ts'
import { connect, type Database, locationOf } from '../src/server/database/connect.ts'

const MIGRATIONS = new URL('../src/server/database/migrations', import.meta.url)

/** The server's database, for a script beside it. To open a missing SQLite file would create it. */
export function existingDatabase(config: Config): Database {
  const location = locationOf(config)
  if (location.engine === 'sqlite' && !existsSync(location.file)) {
    throw new ConfigError(`DATA_DIR holds no database: ${location.file} does not exist`)
  }
  return connect(location, () => {})
}

/**
 * For a script that changes what the server counts by.
 * @throws ConfigError if the tables are not those of this version
 */
export async function ofThisVersion({ db }: Database): Promise<void> {
  const own = readdirSync(MIGRATIONS).sort().at(-1)?.replace('.ts', '') ?? ''
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  const names = rows.map(({ name }) => name).sort()
  if ((names.at(-1) ?? '') > own) {
    throw new ConfigError('The database is of a newer version of Tessera than this one')
  }
  if (!names.includes(own)) {
    throw new ConfigError('The database is of an older version: start this one’s server once')
  }
}
