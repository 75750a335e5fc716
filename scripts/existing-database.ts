import { existsSync } from 'node:fs'
import { type Config, ConfigError } from '../src/server/config.ts'
import { connect, type Database, locationOf } from '../src/server/database/connect.ts'
import { refuseNewer, schemaAge } from '../src/server/database/schema-version.ts'

/** The server's database, for a script beside it. To open a missing SQLite file would create it. */
export function existingDatabase(config: Config): Database {
  const location = locationOf(config)
  if (location.engine === 'sqlite' && !existsSync(location.file)) {
    throw new ConfigError(`DATA_DIR holds no database: ${location.file} does not exist`)
  }
  return connect(location, () => {})
}

/** Works with the server's database, whose tables must be those of this version, and closes it. */
export async function onDatabase<Result>(
  config: Config,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = existingDatabase(config)
  try {
    await ofThisVersion(database)
    return await work(database)
  } finally {
    await database.close()
  }
}

/**
 * @throws ConfigError if the tables are not those of this version
 */
export async function ofThisVersion({ db }: Database): Promise<void> {
  await refuseNewer(db)
  if ((await schemaAge(db)) === 'older') {
    throw new ConfigError('The database is of an older version: start this one’s server once')
  }
}
