import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import { type Database, locationOf } from './connect.ts'

/** The file in DATA_DIR that says that there was a database, so that a lost one is noticed. */
const MARKER = 'has-database'
const MARKER_TEXT =
  'There is a database beside this file: tessera.sqlite. Without it, nothing starts.\n'

/**
 * Refuses to start empty where data were expected: with a wrong DATABASE_URL, or when the SQLite file
 * is lost. Call it before the migrations. EMPTY_OK=1 allows such a start.
 * @throws ConfigError which says in one line what was found
 */
export async function refuseEmptyStart(database: Database, config: Config): Promise<void> {
  if (config.emptyOk || !(await isEmpty(database))) return
  const { dataDir } = config
  const { location } = database
  if (location.engine === 'sqlite' && existsSync(join(dataDir, MARKER))) {
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

/** Call it after the migrations. */
export function markDatabase({ location }: Database, { dataDir }: Config): void {
  const marker = join(dataDir, MARKER)
  if (location.engine === 'sqlite' && !existsSync(marker)) writeFileSync(marker, MARKER_TEXT)
}

/** Whether it has no tables of ours. A missing SQLite file is not opened, which would create it. */
async function isEmpty({ db, location }: Database): Promise<boolean> {
  if (location.engine === 'sqlite') return !hasContent(location.file)
  return (await db.introspection.getTables()).every(({ name }) => name !== 'codes')
}

const hasContent = (file: string) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0

function sqliteFile(dataDir: string): string {
  const location = locationOf({ dataDir })
  return location.engine === 'sqlite' ? location.file : ''
}
