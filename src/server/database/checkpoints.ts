import { stat } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import type { Tables } from './schema.ts'

const LOOK_EVERY_MS = 100
/** A log of this many bytes is written back into the database file. */
const WRITE_BACK_BYTES = 32 * 1024 * 1024
/** How long writers may have to wait for readers when the log is emptied; else it is left for next time. */
const EMPTYING_PATIENCE_MS = 20

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
    const { size } = await stat(this.#log).catch(() => ({ size: 0 }))
    if (size < WRITE_BACK_BYTES) return
    try {
      await sql`pragma busy_timeout = ${sql.lit(EMPTYING_PATIENCE_MS)}`.execute(this.#handle)
      // Beside the writers, all that is there; then, for a moment in their way, what came meanwhile.
      await sql`pragma wal_checkpoint(passive)`.execute(this.#handle)
      await sql`pragma wal_checkpoint(truncate)`.execute(this.#handle)
    } catch {
      // Somebody else is at it, or the disk is full: writers have their backstop.
    }
  }
}
