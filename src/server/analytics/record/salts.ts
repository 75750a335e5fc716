import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { HOUR_MS } from '#contract/time.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/schema.ts'
import { utcDay } from '../../dates.ts'
import type { Job } from '../../jobs.ts'

/** Tomorrow's salt is loaded ahead, and another process may be in tomorrow already. */
const DAYS_AHEAD = 2
const SALT_BYTES = 16
const RELOAD_MS = HOUR_MS

const newSalt = () => randomBytes(SALT_BYTES).toString('base64url')

/**
 * The salts of the visitor hashes, one for each UTC day. All processes share them and load each one
 * before its day begins. After the day we delete its salt: then no hash leads back to an address.
 */
export class Salts {
  readonly #db: Db
  readonly #clock: Clock
  readonly #byDay = new Map<number, string>()
  #timer: NodeJS.Timeout | undefined

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** Loads the salts of today and tomorrow, now and every hour. */
  async start(onError: (error: unknown) => void): Promise<void> {
    await this.load()
    this.#timer = setInterval(() => void this.load().catch(onError), RELOAD_MS)
    this.#timer.unref()
  }

  stop() {
    clearInterval(this.#timer)
  }

  /** The salt of a UTC day (epoch ms / 86,400,000). If none is loaded, this process makes one. */
  of(day: number): string {
    const known = this.#byDay.get(day)
    if (known) return known
    const own = newSalt()
    this.#byDay.set(day, own)
    return own
  }

  /** A salt that this process made without the database becomes the common one if it is the first. */
  async load(): Promise<void> {
    const today = utcDay(this.#clock().getTime())
    const days = [today, today + 1]
    await this.#db
      .insertInto('visitor_salts')
      .values(days.map((day) => ({ day, salt: this.#byDay.get(day) ?? newSalt() })))
      .onConflict((conflict) => conflict.column('day').doNothing())
      .execute()
    const rows = await this.#db
      .selectFrom('visitor_salts')
      .selectAll()
      .where('day', 'in', days)
      .execute()
    for (const { day, salt } of rows) this.#byDay.set(day, salt)
    for (const day of this.#byDay.keys()) if (day < today) this.#byDay.delete(day)
  }

  /**
   * Deletes the salts of past days. One that a clock ahead of this one left goes too: none outlives its
   * day.
   */
  sweep(): Job {
    return {
      name: 'delete-salts',
      everyMs: RELOAD_MS,
      run: async () => {
        const today = utcDay(this.#clock().getTime())
        const salts = this.#db.deleteFrom('visitor_salts')
        await salts.where(sql<boolean>`(day < ${today} or day > ${today + DAYS_AHEAD})`).execute()
      },
    }
  }
}
