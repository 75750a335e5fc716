import { sql } from 'kysely'
import { ConfigError } from '../config.ts'
import { migrations } from './migrations.ts'
import type { Db } from './schema.ts'
import { findMark, type MarkName } from './service-marks.ts'

/** The newest migration that this program knows */
export const newestKnown = () => Object.keys(migrations).at(-1) ?? ''

/** The migrations that a database has had, in order; none for an empty one. */
export async function migrationsOf(db: Db): Promise<string[]> {
  const names = sql<{ name: string }>`select name from kysely_migration order by name`
  const { rows } = await ifThere(names.execute(db), { rows: [] })
  return rows.map(({ name }) => name)
}

/** Compares the tables with those of this program. */
export async function schemaAge(db: Db): Promise<'current' | 'older' | 'newer'> {
  const had = await migrationsOf(db)
  if ((had.at(-1) ?? '') > newestKnown()) return 'newer'
  return had.includes(newestKnown()) ? 'current' : 'older'
}

/** @throws ConfigError if a newer version has changed the database */
export async function refuseNewer(db: Db): Promise<void> {
  if ((await schemaAge(db)) !== 'newer') return
  throw new ConfigError('The database is of a newer version of Tessera than this one: start that')
}

const refusals: Partial<Record<MarkName, string>> = {
  arriving: 'A restore or copy into this database has not finished: run it again',
  moved:
    'This database was copied to another one: start there, or run npm run copy-database -- --take-back',
}

/**
 * Refuses to start on a database of a newer version, on a half of one, and on one that was copied to
 * another place.
 * @throws ConfigError
 */
export async function refuseStart(db: Db): Promise<void> {
  await refuseNewer(db)
  for (const [name, refusal] of Object.entries(refusals)) {
    const mark = await ifThere(findMark(db, name as MarkName), undefined)
    if (mark) throw new ConfigError(refusal)
  }
}

/** The result of a query, or `otherwise` if its table is missing. */
async function ifThere<T>(query: Promise<T>, otherwise: T): Promise<T> {
  return query.catch((error) => {
    const isMissing = error.code === '42P01' || /^no such table/.test(error.message)
    if (isMissing) return otherwise
    throw error
  })
}
