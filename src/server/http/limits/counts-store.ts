import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { ErrorCode } from '#contract/errors.ts'
import { MINUTE_MS } from '#contract/time.ts'
import { type Clock, hasCome } from '../../clock.ts'
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
  const row = await db
    .selectFrom('limit_counts')
    .select(['count', 'since'])
    .where('name', '=', name)
    .where('who', '=', who)
    .executeTakeFirst()
  const end = row ? row.since + windowMs : 0
  if (!row || end <= now.getTime()) return { max, count: 0, endsAt: null }
  return { max, count: Math.min(row.count, max), endsAt: new Date(end).toISOString() }
}

/** Takes one back that was counted and then did not happen. */
export async function uncount(db: Db, name: DatabaseLimit, who: string): Promise<void> {
  refusals.get(db)?.delete(`${name} ${who}`)
  await db
    .updateTable('limit_counts')
    .set({ count: sql`count - 1` })
    .where('name', '=', name)
    .where('who', '=', who)
    .where('count', '>', 0)
    .execute()
}

/** Starts again at none. */
export async function forgetCount(db: Db, name: DatabaseLimit, who: string): Promise<void> {
  refusals.get(db)?.delete(`${name} ${who}`)
  await db.deleteFrom('limit_counts').where('name', '=', name).where('who', '=', who).execute()
}

/** Forgets these callers in all counts. */
export async function forgetInCounts(db: Db, who: string[]): Promise<void> {
  await db.deleteFrom('limit_counts').where('who', 'in', who).execute()
}

/** Removes up to `limit` counts of `name` whose time is over; returns how many. */
export async function removeOver(
  db: Db,
  name: DatabaseLimit,
  now: Date,
  limit: number,
): Promise<number> {
  const { windowMs } = databaseLimits[name]
  const begun = new Date(now.getTime() - windowMs)
  return removeSome(db, limit, (row) =>
    row.and([row('name', '=', name), hasCome('since', windowMs, begun)]),
  )
}

/** Removes up to `limit` counts of names that an earlier version counted; returns how many. */
export async function removeUnknown(db: Db, limit: number): Promise<number> {
  return removeSome(db, limit, (row) => row('name', 'not in', Object.keys(databaseLimits)))
}

/** The instant until which counts are too old if `keep` are to stay; undefined if there are fewer. */
export async function tooOld(db: Db, keep: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('limit_counts')
    .select('since')
    .orderBy('since', 'desc')
    .limit(1)
    .offset(keep)
    .executeTakeFirst()
  return row?.since
}

/** Removes up to `limit` counts that began at `until` or before; returns how many. */
export async function removeOld(db: Db, until: number, limit: number): Promise<number> {
  return removeSome(db, limit, (row) => row('since', '<=', until))
}

type Condition = (row: ExpressionBuilder<Tables, 'limit_counts'>) => Expression<SqlBool>

async function removeSome(db: Db, limit: number, condition: Condition): Promise<number> {
  const found = db.selectFrom('limit_counts').select(['name', 'who']).where(condition).limit(limit)
  return changedRows(
    db
      .deleteFrom('limit_counts')
      .where((row) => row(row.refTuple('name', 'who'), 'in', found.$asTuple('name', 'who')))
      // It is checked again for each row: a new time may begin at this moment.
      .where(condition),
  )
}

/** Counts that are kept: some 40 MB. Only a flood from very many addresses gets there. */
export const COUNTS_MAX = 200_000

/** Deletes counts whose time is over, and the oldest beyond `max`: who is counted there starts again at none. */
export function sweepCounts(deps: { db: Db; clock: Clock; max?: number }): Job {
  const { db, clock, max = COUNTS_MAX } = deps
  const run = async () => {
    for (const name of Object.keys(databaseLimits) as DatabaseLimit[]) {
      await inBatches(() => removeOver(db, name, clock(), BATCH))
    }
    await inBatches(() => removeUnknown(db, BATCH))
    const until = await tooOld(db, max)
    if (until !== undefined) await inBatches(() => removeOld(db, until, BATCH))
  }
  return { name: 'sweep-counts', everyMs: MINUTE_MS, run }
}
