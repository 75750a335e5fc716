import { stat } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Tables } from './schema.ts'

const LOOK_EVERY_MS = 250
const PAGE_BYTES = 4096
/** At this many pages we write the log back into the database file. */
const WRITE_BACK_PAGES = 4_000
/** How long writers may wait for readers when we restart the log. After that we leave it for the next time. */
const RESTART_PATIENCE_MS = 20
/** How often we try to empty the log while readers use it, a second apart. */
const EMPTY_TRIES = 5

/**
 * Writes SQLite's write-ahead log back into the database, from its own handle. By default the commit
 * that fills the log does this, and every scan of that commit waits for the disk.
 * @param handle starts its thread at the first checkpoint, so a quiet service has none
 */
export function checkpoints(file: string, handle: Kysely<Tables>) {
  let writingBack: Promise<void> | undefined
  const timer = setInterval(() => {
    writingBack ??= look().finally(() => {
      writingBack = undefined
    })
  }, LOOK_EVERY_MS).unref()

  const waitBriefly = () =>
    sql`pragma busy_timeout = ${sql.lit(RESTART_PATIENCE_MS)}`.execute(handle)

  /** We never shrink the file: to overwrite a log costs half as much as to extend one. */
  async function hasGrown(): Promise<boolean> {
    const { size } = await stat(`${file}-wal`).catch(() => ({ size: 0 }))
    return size >= WRITE_BACK_PAGES * PAGE_BYTES
  }

  async function look(): Promise<void> {
    if (!(await hasGrown())) return
    try {
      await waitBriefly()
      const { rows } = await sql<{ log: number }>`pragma wal_checkpoint(noop)`.execute(handle)
      if ((rows[0]?.log ?? 0) < WRITE_BACK_PAGES) return
      // The first writes back what is there while writers go on. The second blocks them for a moment,
      // writes back the pages added since, and restarts the log.
      await sql`pragma wal_checkpoint(passive)`.execute(handle)
      await sql`pragma wal_checkpoint(restart)`.execute(handle)
    } catch {
      // Another process does it now, or the disk is full. Writers have BACKSTOP_PAGES.
    }
  }

  return {
    stop: async () => {
      clearInterval(timer)
      await writingBack
      await handle.destroy()
    },
    /** Empties the log, which may hold removed rows. Returns false if readers kept it in use all the time. */
    emptyLog: async (): Promise<boolean> => {
      await waitBriefly()
      for (let tries = 0; tries < EMPTY_TRIES; tries++) {
        if (tries > 0) await setTimeout(1_000)
        const emptying = sql<{ busy: number }>`pragma wal_checkpoint(truncate)`
        if ((await emptying.execute(handle)).rows[0]?.busy === 0) return true
      }
      return false
    },
  }
}
