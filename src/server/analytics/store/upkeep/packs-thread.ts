import { connect, type Location } from '../../../database/connect.ts'
import { threadConnection } from '../../../database/thread-connection.ts'
import { serveTasks } from '../../../work-threads.ts'
import type { PacksDatabase } from '../packs/packs-store.ts'
import { packsStep } from './forgotten-codes.ts'

/* Thread entry: one step of the packs' upkeep a task. */

export type PackingTask = { location: Location; now: number }

/** How long a step waits for another writer before it is left for the next time. */
const LOCK_TIMEOUT_MS = 2_000

let opened: PacksDatabase | undefined

function open(location: Location): PacksDatabase {
  if (location.engine === 'postgres') return connect(location, () => {})
  const timeoutMs = LOCK_TIMEOUT_MS
  return {
    db: threadConnection(location, { readonly: false, timeoutMs }),
    reads: threadConnection(location, { timeoutMs }),
    location,
  }
}

serveTasks(async ({ location, now }: PackingTask) => {
  opened ??= open(location)
  return packsStep(opened, new Date(now))
})
