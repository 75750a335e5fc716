import { readdirSync } from 'node:fs'
import { sql } from 'kysely'
import type { Db } from './schema.ts'

const MIGRATIONS = new URL('./migrations', import.meta.url)

/** Compares the tables with those of this version of the program. @throws if there are none */
export async function schemaAge(db: Db): Promise<'current' | 'older' | 'newer'> {
  const own = readdirSync(MIGRATIONS).sort().at(-1)?.replace('.ts', '') ?? ''
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  const names = rows.map(({ name }) => name).sort()
  if ((names.at(-1) ?? '') > own) return 'newer'
  return names.includes(own) ? 'current' : 'older'
}
