import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { ErrorCode } from '#contract/errors.ts'
import { MINUTE_MS } from '#contract/time.ts'
import { type Clock, hasCome } from '../../clock.ts'
import { deleteWhere, rowsWhere, updateWhere } from '../../database/rows.ts'
import type { Db, Tables } from '../../database/schema.ts'
import { BATCH, changedRows, inBatches } from '../../database/transact.ts'
import type { Job } from '../../jobs.ts'
import { AppError, tryAgainIn } from '../errors.ts'
import { type CountLimit, type DatabaseLimit, databaseLimits } from './limits.ts'

type Refusal = {
  /** How many are databaseLimits, one if absent */
  times?: number
  /** The text of the refusal. `when` says when the time is over, such as "in 5 hours"; `left` how many still fit. */
  message?: string | ((when: string, left: number) => string)
  /** `rate_limited` if absent */
  code?: ErrorCode
}

/** A refusal is known this long without asking the database, so that a flood of them writes nothing. */
const REFUSAL_KNOWN_MS = 5_000
const REFUSALS_KEPT = 10_000
type Known = { since: number; refusedAt: number }
const refusals = new WeakMap<Db, LRUCache<string, Known>>()

function refusalsOf(db: Db): LRUCache<string, Known> {
  const known = refusals.get(db) ?? new LRUCache<string, Known>({ max: REFUSALS_KEPT })
  refusals.set(db, known)
  return known
}

/** When the time of this count began, if it was refused a moment ago. */
function knownRefusal(db: Db, name: DatabaseLimit, who: string, at: number): number | undefined {
  const known = refusals.get(db)?.get(`${name} ${who}`)
  if (!known || at < known.refusedAt || at > known.refusedAt + REFUSAL_KNOWN_MS) return undefined
  return at < known.since + databaseLimits[name].windowMs ? known.since : undefined
}

/**
 * Counts one or more of `name` for a caller, for all processes. The time begins with the first and
 * then again at none. In a transaction a refusal counts nothing.
 * @returns how many are counted now
 * @throws AppError rate_limited, with the seconds until the time is over
 */
export async function count(
  db: Db,
  name: DatabaseLimit,
  who: string,
  now: Date,
  { times = 1, message, code = 'rate_limited' }: Refusal = {},
): Promise<number> {
  const limit: CountLimit = databaseLimits[name]
  const at = now.getTime()
  const refuse = (since: number, left = 0) => {
    const seconds = (since + limit.windowMs - at) / 1000
    const text = typeof message === 'function' ? message(inWords(seconds), left) : message
    return tryAgainIn(seconds, code, text)
  }
  const known = knownRefusal(db, name, who, at)
  if (known !== undefined) throw refuse(known)
  const isOver = hasCome('limit_counts.since', limit.windowMs, new Date(at - limit.windowMs))
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
  if (row.count <= limit.max) return row.count
  // Fewer may still fit where several were asked for. A transaction's handle is never asked again.
  if (times === 1 && !db.isTransaction)
    refusalsOf(db).set(`${name} ${who}`, { since: row.since, refusedAt: at })
  throw refuse(row.since, Math.max(0, limit.max - row.count + times))
}

/** As `count`, for what is left out without an error: false if there were too many. */
export async function mayCount(...counted: Parameters<typeof count>): Promise<boolean> {
  try {
    await count(...counted)
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return false
    throw error
  }
}

const inWhile = new Intl.RelativeTimeFormat('en')

/** Rounded up, so that a caller does not come too early. */
function inWords(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  return minutes < 90
    ? inWhile.format(minutes, 'minute')
    : inWhile.format(Math.ceil(minutes / 60), 'hour')
}

/** How many are counted now, of how many, and when the time is over; null before the first. */
export async function counted(db: Db, name: DatabaseLimit, who: string, now: Date) {
  const { max, windowMs }: CountLimit = databaseLimits[name]
  const row = await rowsWhere(db, 'limit_counts', { name, who }).executeTakeFirst()
  const end = row ? row.since + windowMs : 0
  if (!row || end <= now.getTime()) return { max, count: 0, endsAt: null }
  return { max, count: Math.min(row.count, max), endsAt: new Date(end).toISOString() }
}

/** Takes one back that was counted and then did not happen. */
export async function uncount(db: Db, name: DatabaseLimit, who: string): Promise<void> {
  refusals.get(db)?.delete(`${name} ${who}`)
  const counted = updateWhere(db, 'limit_counts', { name, who }).where('count', '>', 0)
  await counted.set({ count: sql`count - 1` }).execute()
}

/** Starts again at none. */
export async function forgetCount(db: Db, name: DatabaseLimit, who: string): Promise<void> {
  refusals.get(db)?.delete(`${name} ${who}`)
  await deleteWhere(db, 'limit_counts', { name, who }).execute()
}

/** Forgets these callers in all counts. */
export async function forgetInCounts(db: Db, who: string[]): Promise<void> {
  await db.deleteFrom('limit_counts').where('who', 'in', who).execute()
}

type Condition = (row: ExpressionBuilder<Tables, 'limit_counts'>) => Expression<SqlBool>

/** Removes the counts of a condition, in batches. */
const removeAll = (db: Db, condition: Condition) =>
  inBatches(() => {
    const found = db.selectFrom('limit_counts').select(['name', 'who']).where(condition)
    return changedRows(
      db
        .deleteFrom('limit_counts')
        .where((row) =>
          row(row.refTuple('name', 'who'), 'in', found.limit(BATCH).$asTuple('name', 'who')),
        )
        // It is checked again for each row: a new time may begin at this moment.
        .where(condition),
    )
  })

/** Counts that are kept: some 40 MB. Only a flood from very many addresses gets there. */
const COUNTS_MAX = 200_000

/** Deletes counts whose time is over, and the oldest beyond `max`: who is counted there starts again at none. */
export function sweepCounts(deps: { db: Db; clock: Clock; max?: number }): Job {
  const { db, clock, max = COUNTS_MAX } = deps
  const run = async () => {
    for (const [name, { windowMs }] of Object.entries(databaseLimits)) {
      const begun = new Date(clock().getTime() - windowMs)
      const isOver = hasCome('since', windowMs, begun)
      await removeAll(db, (row) => row.and([row('name', '=', name), isOver]))
    }
    // Those that an earlier version counted
    await removeAll(db, (row) => row('name', 'not in', Object.keys(databaseLimits)))
    const newest = db.selectFrom('limit_counts').select('since').orderBy('since', 'desc')
    const tooOld = await newest.limit(1).offset(max).executeTakeFirst()
    if (tooOld) await removeAll(db, (row) => row('since', '<=', tooOld.since))
  }
  return { name: 'sweep-counts', everyMs: MINUTE_MS, run }
}
