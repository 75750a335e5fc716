import { type SqlBool, sql } from 'kysely'
import { MINUTE_MS } from '#contract/time.ts'
import type { Db, Tables } from './database/schema.ts'

/** The current time, passed in so that tests can set it. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

/** The largest difference between the clocks of two processes. */
export const CLOCKS_APART_MS = MINUTE_MS

/*
 * A clock can be set back. A time that was stored before lies further ahead then than it could have
 * been set. Each function here treats such a time as one of now.
 */

/** Whether an instant that was set `lifeMs` ahead is still to come. */
export function isAhead(until: number, lifeMs: number, now: Date): boolean {
  const left = until - now.getTime()
  return left > 0 && left <= lifeMs + CLOCKS_APART_MS
}

/** The same of a column: a condition that its instant, which was set `lifeMs` ahead, has come. */
export function hasCome(column: string, lifeMs: number, now: Date) {
  const until = sql.ref(column)
  const at = now.getTime()
  return sql<SqlBool>`(${until} <= ${at} or ${until} > ${at + lifeMs + CLOCKS_APART_MS})`
}

/** Sets the times of past events that lie ahead of now to now, so that a sweep finds their rows when due. */
export async function clampFutureTimes(db: Db, table: keyof Tables, column: string, now: Date) {
  const [rows, instant, at] = [sql.table(table), sql.ref(column), now.getTime()]
  await sql`update ${rows} set ${instant} = ${at} where ${instant} > ${at}`.execute(db)
}
