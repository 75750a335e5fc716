import { MINUTE_MS } from '#contract/time.ts'
import type { Database } from '../../../database/connect.ts'
import { WorkThreads } from '../../../work-threads.ts'
import { dayToJoin, nextStretch } from '../packs/packing.ts'
import { packsState } from '../packs/packs-store.ts'
import { hasPacksToForget } from './forgotten-codes.ts'
import type { PackingTask } from './packs-thread.ts'

const THREAD = {
  thread: new URL('./packs-thread.ts', import.meta.url),
  taskMs: MINUTE_MS,
  idleMs: 10_000,
  memory: { maxOldGenerationSizeMb: 512 },
}

/**
 * Keeps the packs up to date in steps of some hundred milliseconds, in a thread of its own: this one
 * has redirects to answer. The thread is there while there is something to do.
 */
export class PacksUpkeep {
  readonly #database: Database
  readonly #threads = new WorkThreads<PackingTask, boolean>(THREAD)

  constructor(database: Database) {
    this.#database = database
  }

  /** Returns whether there may be more to do. */
  async step(now: Date): Promise<boolean> {
    if (!(await this.#hasWork(now))) return false
    return this.#threads.perform({ location: this.#database.location, now: now.getTime() })
  }

  async end(): Promise<void> {
    await this.#threads.end()
  }

  async #hasWork(now: Date): Promise<boolean> {
    const { reads } = this.#database
    const state = await packsState(reads)
    return (
      (await nextStretch(reads, state, now)) !== undefined ||
      (await dayToJoin(reads, state)) !== undefined ||
      (await hasPacksToForget(reads))
    )
  }
}
