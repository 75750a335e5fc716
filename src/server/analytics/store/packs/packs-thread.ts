import { Kysely, SqliteDialect } from 'kysely'
import { connect, type Location } from '../../../database/connect.ts'
import type { Tables } from '../../../database/schema.ts'
import { openSqlite } from '../../../database/sqlite-handle.ts'
import { serveTasks } from '../../../threads/serve-tasks.ts'
import { forgetPacksStep } from '../upkeep/forgetting.ts'
import { joinStep } from './joining.ts'
import { packStep } from './packing.ts'
import type { PacksDatabase } from './packs-store.ts'

/* Thread entry: one step of the packs' upkeep a task. */

export type PackingTask = { location: Location; now: number }

/** How long a step waits for another writer before it is left for the next time. */
const LOCK_TIMEOUT_MS = 2_000

let opened: PacksDatabase | undefined

function open(location: Location): PacksDatabase {
  if (location.engine === 'postgres') return connect(location, () => {})
  // This thread may wait for SQLite itself.
  const handle = (readonly: boolean) => {
    const database = openSqlite(location.file, { readonly, timeoutMs: LOCK_TIMEOUT_MS })
    return new Kysely<Tables>({ dialect: new SqliteDialect({ database }) })
  }
  return { db: handle(false), reads: handle(true), location }
}

serveTasks(async ({ location, now }: PackingTask) => {
  opened ??= open(location)
  return (
    (await packStep(opened, new Date(now))) ||
    (await joinStep(opened)) ||
    (await forgetPacksStep(opened))
  )
})
