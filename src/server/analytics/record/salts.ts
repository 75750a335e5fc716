import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { HOUR_MS } from '#contract/time.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/schema.ts'
import { utcDay } from '../../dates.ts'
import type { Job } from '../../jobs.ts'
import { orMade } from '../../or-made.ts'

/** Tomorrow's salt is loaded ahead, and another process may be in tomorrow already. */
const DAYS_AHEAD = 2
const SALT_BYTES = 16
const RELOAD_MS = HOUR_MS

const newSalt = () => randomBytes(SALT_BYTES).toString('base64url')

/**
 * The salts of the visitor hashes, one for each UTC day. All processes share them and load each one
 * before its day begins. After the day we delete its salt: then no hash leads back to an address.
 */
export function visitorSalts(db: Db, clock: Clock) {
  const byDay = new Map<number, string>()
  let timer: NodeJS.Timeout | undefined
  const today = () => utcDay(clock().getTime())

  /** A salt that this process made without the database becomes the common one if it is the first. */
  async function load(): Promise<void> {
    const days = [today(), today() + 1]
    await db
      .insertInto('visitor_salts')
      .values(days.map((day) => ({ day, salt: byDay.get(day) ?? newSalt() })))
      .onConflict((conflict) => conflict.column('day').doNothing())
      .execute()
    const salts = db.selectFrom('visitor_salts').selectAll()
    for (const { day, salt } of await salts.where('day', 'in', days).execute()) byDay.set(day, salt)
    for (const day of byDay.keys()) if (day < today()) byDay.delete(day)
  }

  return {
    load,
    /** Loads the salts of today and tomorrow, now and every hour. */
    start: async (onError: (error: unknown) => void) => {
      await load()
      timer = setInterval(() => void load().catch(onError), RELOAD_MS).unref()
    },
    stop: () => clearInterval(timer),
    /** The salt of a UTC day (days since 1970). If it is not loaded, it is made. */
    of: (day: number): string => orMade(byDay, day, newSalt),
    /**
     * Deletes the salts of past days. One that a clock ahead of this one left goes too: none outlives its
     * day.
     */
    sweep: (): Job => ({
      name: 'delete-salts',
      everyMs: RELOAD_MS,
      run: async () => {
        const gone = sql<boolean>`(day < ${today()} or day > ${today() + DAYS_AHEAD})`
        await db.deleteFrom('visitor_salts').where(gone).execute()
      },
    }),
  }
}
