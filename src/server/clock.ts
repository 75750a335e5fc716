import { type SqlBool, sql } from 'kysely'

/** The current time, passed in so that tests can set it. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

/** How far the clocks of two processes may be apart. */
export const CLOCKS_APART_MS = 60_000

/** Whether an instant that was set `lifeMs` ahead has not come. One further ahead is from a clock that went back. */
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
