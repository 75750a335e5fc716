import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { Clock } from '../clock.ts'
import { type Config, ConfigError } from '../config.ts'
import { connect, type Location, locationOf } from '../database/connect.ts'
import { migrateIn } from '../database/migrate.ts'
import { countWhere } from '../database/rows.ts'
import type { Db, Tables } from '../database/schema.ts'
import { setMark } from '../database/service-marks.ts'
import { changedRows, commitOrUndo } from '../database/transact.ts'
import { utcDay } from '../dates.ts'
import { type BackupVisitor, BadBackup, type End, type Head, readBackup } from './backup-file.ts'
import { openSecret } from './sealed-secret.ts'
import { addRows, raiseSequences, type Table, tablesOf } from './table-rows.ts'

type RestoreConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'sessionSecret' | 'backupKey'>

/**
 * `kept` is in DATA_DIR now, `same` is SESSION_SECRET; `differs`: SESSION_SECRET is another one; `closed`: there
 * is no BACKUP_KEY to open it.
 */
export type SecretState = 'kept' | 'same' | 'differs' | 'closed' | 'left out'
export type Restored = Head & End & Effects & { secretState: SecretState }

const SEGMENT = /^journal\/[\w-]+\/\d{10}\.seg$/
const OWNER_FILE = 0o600
const OWNER_FOLDER = 0o700

/**
 * Restores a backup into an empty database, all or nothing: SQLite gets the file when it is whole, PostgreSQL has
 * one transaction.
 * @throws ConfigError if the database is not empty; BadBackup
 */
export async function restore(
  config: RestoreConfig,
  file: string,
  { clock, settleScans }: Pick<Loading, 'clock' | 'settleScans'>,
) {
  const place = locationOf(config)
  const target = await emptyTarget(place)
  const database = connect(target, () => {})
  try {
    const restored = await database.db.connection().execute(async (connection) => {
      await sql`begin`.execute(connection)
      const loading = { config, file, clock, settleScans }
      return commitOrUndo(connection, () => load(connection, database.location, loading))
    })
    await database.emptyLog?.()
    await database.close()
    if (place.engine === 'sqlite') renameSync(unfinished(place.file), place.file)
    return restored
  } catch (error) {
    await database.close()
    throw error
  }
}

const unfinished = (file: string) => `${file}.restoring`

/** Where the rows go at first. @throws ConfigError if there is a database already */
async function emptyTarget(place: Location): Promise<Location> {
  if (place.engine === 'sqlite') {
    if ((statSync(place.file, { throwIfNoEntry: false })?.size ?? 0) > 0) {
      throw new ConfigError(
        `DATA_DIR holds a database already: ${place.file}. Restore into an empty folder`,
      )
    }
    for (const end of ['', '-wal', '-shm']) rmSync(unfinished(place.file) + end, { force: true })
    return { engine: 'sqlite', file: unfinished(place.file) }
  }
  const database = connect(place, () => {})
  const tables = await database.db.introspection.getTables().finally(() => database.close())
  if (tables.length === 0) return place
  throw new ConfigError('DATABASE_URL names a database that has tables. Restore into an empty one')
}

type Loading = {
  config: RestoreConfig
  file: string
  clock: Clock
  /** Readies the notes about scans that are elsewhere */
  settleScans: (db: Db, now: Date) => Promise<void>
}

async function load(db: Kysely<Tables>, { engine }: Location, loading: Loading) {
  const { config, file, clock } = loading
  let tables = new Map<string, Table>()
  let table: Table | undefined
  const segments: string[] = []
  const staged = join(config.dataDir, 'journal.restoring')
  rmSync(staged, { recursive: true, force: true })
  let secret: string | undefined
  const visitor: BackupVisitor = {
    head: (head) => {
      secret = secretOf(head, config)
    },
    file: (path, bytes) => {
      if (!SEGMENT.test(path)) throw new BadBackup(`It holds a file that is not ours: ${path}`)
      segments.push(path)
      mkdirSync(dirname(join(staged, path)), { recursive: true, mode: OWNER_FOLDER })
      writeFileSync(join(staged, path), bytes, { mode: OWNER_FILE, flush: true })
    },
    database: async (_engine, schema) => {
      await migrateIn(db, schema)
      tables = new Map((await tablesOf(db, engine)).map((each) => [each.name, each]))
    },
    table: (name, columns) => {
      table = inOrderOf(tables.get(name), name, columns)
    },
    rows: (rows) => addRows(db, engine, table as Table, rows),
  }
  const told = await readBackup(file, visitor)
  await raiseSequences(db, engine)
  await migrateIn(db)
  const settled = await settleRestored(db, clock())
  await loading.settleScans(db, clock())
  // Before the database is there: a start without these scans would lose them.
  for (const path of segments) keepSegment(join(staged, path), join(config.dataDir, path))
  rmSync(staged, { recursive: true, force: true })
  return { ...told, ...settled, secretState: keepSecret(told, secret, config) }
}

function secretOf({ secret }: Head, { backupKey }: RestoreConfig): string | undefined {
  if (!secret || backupKey === undefined) return undefined
  const opened = openSecret(secret, backupKey)
  if (opened === undefined) throw new ConfigError('BACKUP_KEY is not the key of this backup')
  return opened
}

function inOrderOf(table: Table | undefined, name: string, columns: string[]): Table {
  const known = new Map(table?.columns.map((column) => [column.name, column]))
  const ordered = columns
    .map((column) => known.get(column))
    .filter((column) => column !== undefined)
  if (table && ordered.length === columns.length) return { ...table, columns: ordered }
  throw new BadBackup(`Its table ${name} does not fit its version`)
}

/** A segment that is there already is the same one, of a later moment. */
function keepSegment(staged: string, path: string) {
  if (existsSync(path)) return
  mkdirSync(dirname(path), { recursive: true, mode: OWNER_FOLDER })
  renameSync(staged, path)
}

function keepSecret(
  { secret: sealed }: Head,
  secret: string | undefined,
  { dataDir, sessionSecret }: RestoreConfig,
): SecretState {
  if (!sealed) return 'left out'
  if (secret === undefined) return 'closed'
  if (secret === sessionSecret) return 'same'
  mkdirSync(dataDir, { recursive: true, mode: OWNER_FOLDER })
  writeFileSync(join(dataDir, 'session-secret'), secret, { mode: OWNER_FILE, flush: true })
  return sessionSecret === undefined ? 'kept' : 'differs'
}

/** How many of each a restore has ended, paused or held */
type Effects = Record<'sessions' | 'apps' | 'keys' | 'shares' | 'mails', number>

/**
 * Changes what must not go on as it was when the backup was made: a stranger may have had it, and the service
 * may go on elsewhere. It ends sessions, mailed links, invitations and connected apps, pauses keys and share links, holds mails and webhooks,
 * removes salts of past days, and reads plans again at the payment provider.
 */
export async function settleRestored(db: Db, now: Date): Promise<Effects> {
  const at = now.getTime()
  const sessions = await changedRows(db.deleteFrom('sessions'))
  const apps = await changedRows(db.deleteFrom('connected_apps'))
  await db.deleteFrom('oauth_records').execute()
  await db.deleteFrom('sign_ins').execute()
  await db.deleteFrom('mailed_links').execute()
  await db.deleteFrom('invitations').execute()
  await db.deleteFrom('job_leases').execute()
  await db.deleteFrom('visitor_salts').where('day', '<', utcDay(at)).execute()
  await db.updateTable('customers').set({ reread_at: 0 }).execute()
  const keys = await changedRows(db.updateTable('api_keys').set({ paused_at: at }))
  const shares = await changedRows(db.updateTable('shares').set({ paused_at: at }))
  const mails = await countWhere(db, 'mails', {})
  await setMark(db, 'held', { at, value: '' })
  return { sessions, apps, keys, shares, mails }
}
