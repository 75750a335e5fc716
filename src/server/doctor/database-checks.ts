import { open, stat } from 'node:fs/promises'
import { sql } from 'kysely'
import { DAY_MS, HOUR_MS } from '#contract/time.ts'
import type { Clock } from '../clock.ts'
import { type Config, ConfigError } from '../config.ts'
import type { Database } from '../database/connect.ts'
import { refuseEmptyStart } from '../database/empty-start.ts'
import { isOtherMode } from '../database/payment-mode.ts'
import type { Db } from '../database/schema.ts'
import { schemaAge } from '../database/schema-version.ts'
import { findMark } from '../database/service-marks.ts'
import { compareClocks, type Finding, say, sayAll } from './finding.ts'

export type DatabaseDeps = {
  config: Config
  database: Database
  clock: Clock
  /** The instant of the newest scan */
  newestScan: () => Promise<number | undefined>
}

/** Whether the database is the one that is expected, has safe settings, and which notes it holds. */
export async function checkDatabase(deps: DatabaseDeps): Promise<Finding[]> {
  const { config, database, clock } = deps
  try {
    await refuseEmptyStart(database, config)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [say('database', 'missing', { reason: error.message })]
  }
  const { reads, location } = database
  const age = await schemaAge(reads)
  if (age !== 'current') return [say('database', age)]
  const now = clock().getTime()
  return [
    ...(await (location.engine === 'sqlite' ? checkSqlite(deps, now) : checkPostgres(reads, now))),
    ...(await checkMarks(reads, config, now)),
  ]
}

async function checkSqlite({ database, newestScan }: DatabaseDeps, now: number) {
  const { rows } = await sql<{ journal_mode: string }>`pragma journal_mode`.execute(database.reads)
  const at = (await newestScan()) ?? now
  return [
    ...sayAll('database', { mode: rows[0]?.journal_mode !== 'wal' }),
    // Older scans say nothing about the clock.
    compareClocks(Math.max(0, at - now), 'the newest scan'),
  ]
}

type PostgresState = Record<
  'release' | 'fsync' | 'commit' | 'encoding' | 'standby' | 'connections',
  boolean
>

async function checkPostgres(db: Db, now: number): Promise<Finding[]> {
  const { rows } = await sql<PostgresState & { at: number }>`select
    (extract(epoch from clock_timestamp()) * 1000)::float8 as at,
    current_setting('server_version_num')::int < 130000 as release,
    current_setting('fsync') = 'off' as fsync,
    current_setting('synchronous_commit') = 'off' as commit,
    current_setting('server_encoding') <> 'UTF8' as encoding,
    current_setting('transaction_read_only') = 'on' as standby,
    current_setting('max_connections')::int
      - (select sum(numbackends) from pg_stat_database) < 20 as connections`.execute(db)
  const { at = now, ...state } = rows[0] ?? {}
  return [...sayAll('database', state), compareClocks(at - now, 'the database')]
}

/** For backups that the service does not make by itself */
const BACKUP_OLD_MS = 31 * DAY_MS

async function checkMarks(db: Db, config: Config, now: number): Promise<Finding[]> {
  const { backups } = config
  const atOf = async (name: Parameters<typeof findMark>[1]) => (await findMark(db, name))?.at ?? 0
  const marks = {
    arriving: (await atOf('arriving')) > 0,
    moving: (await atOf('moving')) > now,
    moved: (await atOf('moved')) > 0,
    held: (await atOf('held')) > 0,
    otherMode: await isOtherMode(db, config),
  }
  const backupAt = await atOf('backup')
  const ageMs = now - backupAt
  const isOld = ageMs > (backups ? 2 * backups.everyMs : BACKUP_OLD_MS)
  const conditions = {
    never: backupAt === 0 && !backups,
    pending: backupAt === 0 && !!backups,
    old: backupAt > 0 && isOld,
  }
  const hours = Math.floor(ageMs / HOUR_MS)
  return [...sayAll('marks', marks), ...sayAll('backup', conditions, { hours })]
}

/** To read a larger file whole would take minutes. */
const READ_MAX_BYTES = 2 * 1024 ** 3

/** Reads a SQLite file whole. @throws if it is not there */
export async function checkSqliteFile(path: string, db: Db): Promise<Finding[]> {
  const { size } = await stat(path)
  if (size > READ_MAX_BYTES) return [say('database file', 'large')]
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`
    .execute(db)
    .catch(({ message }: Error) => ({ rows: [{ quick_check: message }] }))
  const reason = rows[0]?.quick_check
  if (reason === 'ok') return [say('database file', 'ok')]
  // The header can be behind the write-ahead log, so it counts only if something is wrong.
  const expected = await sizeInHeader(path)
  const key = size < expected ? 'short' : 'damaged'
  return [say('database file', key, { size, expected, reason })]
}

/** https://sqlite.org/fileformat2.html#the_database_header */
async function sizeInHeader(path: string): Promise<number> {
  const file = await open(path)
  const { buffer } = await file.read(Buffer.alloc(32))
  await file.close()
  const pageBytes = buffer.readUInt16BE(16)
  return buffer.readUInt32BE(28) * (pageBytes === 1 ? 65_536 : pageBytes)
}
