import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Db, Tables } from '../database/schema.ts'
import { tryAgainIn } from './errors.ts'
import { type Counted, type CountLimit, counted } from './limits.ts'

type Refusal = {
  /** How many are counted, one if absent */
  times?: number
  /** The text of the refusal. `when` says when the time is over, such as "in 5 hours". */
  message?: string | ((when: string) => string)
}

/**
 * Counts one or more of `name` for somebody, for all processes. The time begins with the first and
 * then again at none; a time that begins in the future (a clock that went back) is over. In a
 * transaction a refusal counts nothing.
 * @throws AppError rate_limited, with the seconds until the time is over
 */
export async function count(
  db: Db,
  name: Counted,
  who: string,
  now: Date,
  { times = 1, message }: Refusal = {},
): Promise<void> {
  const limit: CountLimit = counted[name]
  const at = now.getTime()
  const isOver = sql<boolean>`limit_counts.since <= ${at - limit.windowMs} or limit_counts.since > ${at}`
  const row = await db
    .insertInto('limit_counts')
    .values({ name, who, since: at, count: times })
    .onConflict((conflict) =>
      conflict.columns(['name', 'who']).doUpdateSet({
        count: sql`case when ${isOver} then excluded.count else limit_counts.count + excluded.count end`,
        since: sql`case when ${isOver} then excluded.since else limit_counts.since end`,
      }),
    )
    .returning(['count', 'since'])
    .executeTakeFirstOrThrow()
  if (row.count <= limit.max) return
  const seconds = (row.since + limit.windowMs - at) / 1000
  const text = typeof message === 'function' ? message(inWords(seconds)) : message
  throw tryAgainIn(seconds, 'rate_limited', text)
}

const inWhile = new Intl.RelativeTimeFormat('en')

/** Rounded up, so that nobody comes too early. */
function inWords(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  return minutes < 90
    ? inWhile.format(minutes, 'minute')
    : inWhile.format(Math.ceil(minutes / 60), 'hour')
}

/** Takes one back that was counted and then did not happen. */
export async function uncount(db: Db, name: Counted, who: string): Promise<void> {
  await db
    .updateTable('limit_counts')
    .set({ count: sql`count - 1` })
    .where('name', '=', name)
    .where('who', '=', who)
    .where('count', '>', 0)
    .execute()
}

/** Starts again at none. */
export async function forgetCount(db: Db, name: Counted, who: string): Promise<void> {
  await db.deleteFrom('limit_counts').where('name', '=', name).where('who', '=', who).execute()
}

/** Removes up to `limit` counts whose time is over; returns how many. */
export async function removeOver(db: Db, now: Date, limit: number): Promise<number> {
  const at = now.getTime()
  const isOver: Condition = (row) =>
    row.or([
      ...Object.entries(counted).map(([name, { windowMs }]) =>
        row.and([row('name', '=', name), row('since', '<=', at - windowMs)]),
      ),
      row('since', '>', at),
      // An earlier version counted it.
      row('name', 'not in', Object.keys(counted)),
    ])
  return removeSome(db, limit, isOver)
}

/** Removes up to `limit` of the oldest counts, of those that are more than `keep`; returns how many. */
export async function removeOldest(db: Db, keep: number, limit: number): Promise<number> {
  const { rows } = await db
    .selectFrom('limit_counts')
    .select((row) => row.fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow()
  return removeSome(db, Math.min(limit, Math.max(0, Number(rows) - keep)), (row) => row.lit(true))
}

type Condition = (row: ExpressionBuilder<Tables, 'limit_counts'>) => Expression<SqlBool>

async function removeSome(db: Db, limit: number, condition: Condition): Promise<number> {
  const found = db
    .selectFrom('limit_counts')
    .select(['name', 'who'])
    .where(condition)
    .orderBy('since')
    .limit(limit)
  const { numDeletedRows } = await db
    .deleteFrom('limit_counts')
    .where((row) => row(row.refTuple('name', 'who'), 'in', found.$asTuple('name', 'who')))
    // It is checked again for each row: a new time may begin at this moment.
    .where(condition)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
