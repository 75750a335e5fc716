import { sql } from 'kysely'
import type { Db } from '../database/schema.ts'
import { tryAgainIn } from './errors.ts'
import { type Counted, type CountLimit, counted } from './limits.ts'

/**
 * Counts one more of `name` for somebody, for all processes. The time begins with the first and then
 * again at one; a time that begins in the future (a clock that went back) is over.
 * @throws AppError rate_limited, with the seconds until the time is over
 */
export async function count(
  db: Db,
  name: Counted,
  who: string,
  now: Date,
  message?: string,
): Promise<void> {
  const limit: CountLimit = counted[name]
  const at = now.getTime()
  const isOver = sql<boolean>`limit_counts.since <= ${at - limit.windowMs} or limit_counts.since > ${at}`
  const row = await db
    .insertInto('limit_counts')
    .values({ name, who, since: at, count: 1 })
    .onConflict((conflict) =>
      conflict.columns(['name', 'who']).doUpdateSet({
        count: sql`case when ${isOver} then 1 else limit_counts.count + 1 end`,
        since: sql`case when ${isOver} then excluded.since else limit_counts.since end`,
      }),
    )
    .returning(['count', 'since'])
    .executeTakeFirstOrThrow()
  if (row.count <= limit.max) return
  throw tryAgainIn((row.since + limit.windowMs - at) / 1000, 'rate_limited', message)
}

/** Starts again at none. */
export async function forgetCount(db: Db, name: Counted, who: string): Promise<void> {
  await db.deleteFrom('limit_counts').where('name', '=', name).where('who', '=', who).execute()
}
