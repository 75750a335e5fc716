import { stat } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import type { Tables } from './schema.ts'

const LOOK_EVERY_MS = 50
const PAGE_BYTES = 4096
/** A log of this many pages is written back into the database file. */
const WRITE_BACK_PAGES = 4_000
/** How long writers may have to wait for readers when the log starts anew; else it is left for next time. */
const RESTART_PATIENCE_MS = 20

/**
 * Writes SQLite's write-ahead log back into the database, from a handle of its own. Left to itself
 * the commit that fills the log does that, and every scan of that commit waits for the disk.
 */
export class Checkpoints {
  readonly #log: string
  readonly #handle: Kysely<Tables>
  #timer: NodeJS.Timeout | undefined
  #writingBack: Promise<void> | undefined

  /** @param handle starts its thread at the first checkpoint: a quiet service never needs one */
  constructor(file: string, handle: Kysely<Tables>) {
    this.#log = `${file}-wal`
    this.#handle = handle
  }

  start() {
    this.#timer = setInterval(() => {
      this.#writingBack ??= this.#look().finally(() => {
        this.#writingBack = undefined
      })
    }, LOOK_EVERY_MS)
    this.#timer.unref()
  }

  async stop() {
    clearInterval(this.#timer)
    await this.#writingBack
    await this.#handle.destroy()
  }

  async #look(): Promise<void> {
    if (!(await this.#hasGrown())) return
    try {
      await sql`pragma busy_timeout = ${sql.lit(RESTART_PATIENCE_MS)}`.execute(this.#handle)
      const { rows } = await sql<{ log: number }>`pragma wal_checkpoint(noop)`.execute(this.#handle)
      if ((rows[0]?.log ?? 0) < WRITE_BACK_PAGES) return
      // Beside the writers, all that is there; then, for a moment in their way, what came meanwhile.
      await sql`pragma wal_checkpoint(passive)`.execute(this.#handle)
      await sql`pragma wal_checkpoint(restart)`.execute(this.#handle)
    } catch {
      // Somebody else is at it, or the disk is full: writers have their backstop.
    }
  }

  /** The file never shrinks, since a log that is written over costs half of one that is extended. */
  async #hasGrown(): Promise<boolean> {
    const { size } = await stat(this.#log).catch(() => ({ size: 0 }))
    return size >= WRITE_BACK_PAGES * PAGE_BYTES
  }
}
