import { setTimeout } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { type Migration, type MigrationResultSet, Migrator } from 'kysely/migration'
import { ConfigError } from '../config.ts'
import type { Database } from './connect.ts'
import { copyAside } from './copy-aside.ts'
import { migrations } from './migrations.ts'
import type { Db } from './schema.ts'
import { migrationsOf, newestKnown, refuseNewer } from './schema-version.ts'
import { commitOrUndo } from './transact.ts'

/** How long a migration on PostgreSQL waits for a table: for this time it holds up what comes after it. */
const LOCK_TIMEOUT_MS = 1_000
const RETRY_MS = 1_000
/** Another connection is in the way. PostgreSQL: lock_not_available, deadlock_detected */
const HELD = new Set(['55P03', '40P01', 'SQLITE_BUSY'])
/** The advisory lock of the process that migrates, beside Kysely's own */
const MIGRATING = 7_358_117_212

type Log = Pick<FastifyBaseLogger, 'info' | 'warn'>

const silent: Log = { info: () => {}, warn: () => {} }

/**
 * Brings the database up to date, forward only, by the migrations in the order of their names. Several processes may
 * run it at once. On SQLite all is one write transaction. On PostgreSQL each migration is one, which gives
 * up when it waits for a table and is tried again: the version before works on beside it.
 * @throws ConfigError if the database is of a newer version
 */
export async function migrate({ db, reads, location }: Database, log = silent): Promise<void> {
  await refuseNewer(db)
  const { names, isNew, needsStop } = await pendingOf(db)
  const last = names.at(-1)
  if (last === undefined) return
  if (needsStop && !isNew)
    log.warn('stop all processes of the version before: this upgrade ends it')
  if (location.engine === 'postgres') return migratePostgres(db, log)
  if (!isNew) await copyAside({ reads, location }, last, log)
  await db.connection().execute(async (connection) => {
    await patiently(async () => void (await sql`begin immediate`.execute(connection)), log)
    const migrator = migratorOf(connection, names, isNew ? silent : log)
    await commitOrUndo(connection, () => succeed(migrator.migrateToLatest()))
  })
}

/**
 * Brings the tables up to a migration, or to the newest, in the transaction of this connection.
 * @throws ConfigError if this version does not know the migration
 */
export async function migrateIn(db: Db, name = newestKnown()): Promise<void> {
  if (!Object.hasOwn(migrations, name)) {
    throw new ConfigError(`It is of a newer version of Tessera: this one does not know ${name}`)
  }
  const provider = { getMigrations: async () => migrations }
  await succeed(new Migrator({ db, provider }).migrateTo(name, { disableTransactions: true }))
}

async function migratePostgres(db: Db, log: Log): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`set lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(connection)
    try {
      await takeLock(connection, log)
      const { names, isNew, outside } = await pendingOf(connection)
      const migrator = migratorOf(connection, names, isNew ? silent : log)
      // No other version uses a database that is new, so one transaction may have all.
      const disableTransactions = outside.size > 0
      if (isNew) return await succeed(migrator.migrateToLatest({ disableTransactions }))
      for (const name of names) {
        const options = { disableTransactions: outside.has(name) }
        await patiently(() => succeed(migrator.migrateUp(options)), log)
      }
    } finally {
      // Gives back the lock and the setting; a connection that is lost has neither.
      await sql`discard all`.execute(connection).catch(() => {})
    }
  })
}

/**
 * Asks again and again: a statement that waited for the lock would be a transaction under way, for which
 * concurrent indexes wait.
 */
async function takeLock(db: Db, log: Log): Promise<void> {
  const taking = sql<{ taken: boolean }>`select pg_try_advisory_lock(${MIGRATING}::bigint) as taken`
  for (let tries = 0; !(await taking.execute(db)).rows[0]?.taken; tries++) {
    if (tries === 0) log.info('another process runs the migrations')
    await setTimeout(RETRY_MS)
  }
}

/** The migrations that a database has not had, and those of them that run outside a transaction. */
async function pendingOf(db: Db) {
  const had = await migrationsOf(db)
  const names = Object.keys(migrations).filter((name) => !had.includes(name))
  const outside = new Set(names.filter((name) => migrations[name]?.isOutside))
  const needsStop = names.some((name) => migrations[name]?.needsStop)
  return { names, outside, needsStop, isNew: had.length === 0 }
}

/** A migrator that logs each migration. */
function migratorOf(db: Db, pending: string[], log: Log): Migrator {
  const logged = (name: string, migration: Migration): Migration => ({
    up: async (tx) => {
      const began = performance.now()
      await migration.up(tx)
      const ms = Math.round(performance.now() - began)
      const number = pending.indexOf(name) + 1
      log.info({ migration: name, number, of: pending.length, ms }, 'migration done')
    },
  })
  const all = Object.entries(migrations).map(([name, migration]) => [name, logged(name, migration)])
  return new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(all) } })
}

/** @throws what went wrong, which Kysely returns */
async function succeed(migrating: Promise<MigrationResultSet>): Promise<void> {
  const { error } = await migrating
  if (error) throw error
}

/** Repeats a step until no other connection holds what it needs. */
async function patiently(step: () => Promise<void>, log: Log): Promise<void> {
  for (;;) {
    try {
      return await step()
    } catch (error) {
      const { code = '', message } = error as Error & { code?: string }
      if (!HELD.has(code)) throw error
      log.warn({ reason: message }, 'migrations wait: another connection holds what they need')
      await setTimeout(RETRY_MS)
    }
  }
}
