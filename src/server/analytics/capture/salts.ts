import { randomBytes } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/schema.ts'
import type { Job } from '../../jobs/job-runner.ts'
import { utcDay } from '../ledger/instants.ts'

const SALT_BYTES = 16
const RELOAD_MS = 60 * 60 * 1000

const newSalt = () => randomBytes(SALT_BYTES).toString('base64url')

/**
 * The key of each UTC day's visitor hashes. It is shared by all processes, loaded before its day
 * begins, and deleted when the day is over: from then on no hash can be traced to an address.
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

  /** Loads the salts of today and tomorrow, and goes on doing so. */
  async start(onError: (error: unknown) => void): Promise<void> {
    await this.load()
    this.#timer = setInterval(() => void this.load().catch(onError), RELOAD_MS)
    this.#timer.unref()
  }

  stop() {
    clearInterval(this.#timer)
  }

  /** The salt of a UTC day (epoch ms / 86,400,000). Without the database one of this process serves. */
  of(day: number): string {
    const known = this.#byDay.get(day)
    if (known) return known
    const own = newSalt()
    this.#byDay.set(day, own)
    return own
  }

  /** What this process made up while the database was away becomes everybody's, if it is the first. */
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

  /** Deletes the salts of days that are over. */
  sweep(): Job {
    return {
      name: 'delete-salts',
      everyMs: RELOAD_MS,
      run: async () => {
        const today = utcDay(this.#clock().getTime())
        await this.#db.deleteFrom('visitor_salts').where('day', '<', today).execute()
        const oldest = today - VISITOR_DAYS
        await this.#db.deleteFrom('visitors').where('day', '<', oldest).execute()
      },
    }
  }
}

/** Days for which it is known who was seen where: a spilled scan may be that late. */
export const VISITOR_DAYS = 7
