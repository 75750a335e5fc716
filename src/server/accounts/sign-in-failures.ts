import { sql } from 'kysely'
import type { Db } from '../database/schema.ts'

/** Failed sign-ins after which an account is closed for the rest of the window. */
export const FAILURES_MAX = 10
export const FAILURE_WINDOW_MS = 15 * 60 * 1000

const windowStart = (now: Date) => now.getTime() - FAILURE_WINDOW_MS

/**
 * Counts an attempt to sign in (e-mail address in lower case) and answers whether it may go on. The
 * password is checked afterwards, so that guesses sent at once are all counted. When the window is
 * over, the count starts again at one.
 */
export async function takeAttempt(db: Db, email: string, now: Date): Promise<boolean> {
  const start = windowStart(now)
  const isOver = sql<boolean>`sign_in_failures.since <= ${start}`
  const { failures } = await db
    .insertInto('sign_in_failures')
    .values({ email, failures: 1, since: now.getTime() })
    .onConflict((conflict) =>
      conflict.column('email').doUpdateSet({
        failures: sql`case when ${isOver} then 1 else sign_in_failures.failures + 1 end`,
        since: sql`case when ${isOver} then excluded.since else sign_in_failures.since end`,
      }),
    )
    .returning('failures')
    .executeTakeFirstOrThrow()
  return failures <= FAILURES_MAX
}

export async function forgetFailures(db: Db, email: string): Promise<void> {
  await db.deleteFrom('sign_in_failures').where('email', '=', email).execute()
}

/** Removes the counts whose window is over. */
export async function sweepFailures(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sign_in_failures').where('since', '<=', windowStart(now)).execute()
}
