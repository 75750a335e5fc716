import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import { type Database, locationOf } from './connect.ts'

/** Stays in DATA_DIR once there was a database in it, so that a lost one is not taken for none yet. */
const MARK = 'has-database'
const MARK_TEXT =
  'There is a database beside this file: tessera.sqlite. Without it, nothing starts.\n'

/**
 * Refuses a start that would begin with no data where there were some: with a wrong DATABASE_URL, or
 * after the SQLite file was lost. Runs before the migrations. EMPTY_OK=1 lets it go on.
 * @throws ConfigError which says in one line what was found
 */
export async function refuseEmptyStart(database: Database, config: Config): Promise<void> {
  if (config.emptyOk || !(await isEmpty(database))) return
  const { dataDir } = config
  const { location } = database
  if (location.engine === 'sqlite' && existsSync(join(dataDir, MARK))) {
    throw new ConfigError(
      `DATA_DIR had a database, but ${location.file} is gone: bring it back; EMPTY_OK=1 starts empty`,
    )
  }
  const ours = sqliteFile(dataDir)
  if (location.engine === 'postgres' && hasContent(ours)) {
    throw new ConfigError(
      `DATABASE_URL names an empty database, but DATA_DIR holds ${ours}: unset DATABASE_URL to use that; EMPTY_OK=1 starts empty`,
    )
  }
}

/** Call when the database is there and migrated. */
export function markDatabase({ location }: Database, { dataDir }: Config): void {
  const mark = join(dataDir, MARK)
  if (location.engine === 'sqlite' && !existsSync(mark)) writeFileSync(mark, MARK_TEXT)
}

/** Whether nobody has migrated it yet. A SQLite file is not opened for this: that would make one. */
async function isEmpty({ db, location }: Database): Promise<boolean> {
  if (location.engine === 'sqlite') return !hasContent(location.file)
  return (await db.introspection.getTables()).every(({ name }) => name !== 'codes')
}

const hasContent = (file: string) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0

function sqliteFile(dataDir: string): string {
  const location = locationOf({ dataDir })
  return location.engine === 'sqlite' ? location.file : ''
}
