import { sql } from 'kysely'
import { NOW_MINUTES, NOW_SCANS_MAX } from '#contract/analytics/figures.ts'
import { MINUTE_MS } from '#contract/time.ts'
import type { Db, ScansTable } from '../../database/schema.ts'
import { quarterOf } from '../../dates.ts'
import { idFrom } from '../store/ledger/scan-ids.ts'

/** The ledger has no index by code: this many of its newest rows are looked at, of all codes. */
const ROWS_MAX = 20_000

/** Ids in one statement, below the parameter limits of both engines. */
const IDS_MAX = 10_000

export type SeenNow = Pick<
  ScansTable,
  'id' | 'code_id' | 'at' | 'city' | 'country' | 'device' | 'os'
>

/**
 * Persons' scans of the last half hour: how many in each minute, by its number from the first one, and
 * the newest. `since` is where the rows that were looked at begin, in epoch milliseconds.
 */
export type ScansNow = { since: number; minutes: Map<number, number>; scans: SeenNow[] }

/** The first of the minutes that 'now' looks at: whole ones, the last of which is under way. */
export const firstMinute = (at: number) =>
  (Math.floor(at / MINUTE_MS) - NOW_MINUTES + 1) * MINUTE_MS

/** The rollup, which has the code in its key, tells first which codes there can be scans of. */
export async function scansNow(db: Db, codeIds: string[], at: number): Promise<ScansNow> {
  const from = firstMinute(at)
  const none: ScansNow = { since: from, minutes: new Map(), scans: [] }
  if (codeIds.length === 0) return none
  const counted = await db
    .selectFrom('scan_counts')
    .select('code_id')
    .distinct()
    .where('code_id', 'in', codeIds.slice(0, IDS_MAX))
    .where('quarter', '>=', quarterOf(from))
    .where('persons', '>', 0)
    .execute()
  if (counted.length === 0) return none
  const ids = counted.map(({ code_id }) => code_id)
  const newest = db
    .selectFrom('scans')
    .select(['id', 'code_id', 'at', 'class', 'city', 'country', 'device', 'os'])
    .where('id', '>=', idFrom(from))
    .orderBy('id', 'desc')
    .limit(ROWS_MAX)
  const own = db
    .selectFrom(newest.as('newest'))
    .where('code_id', 'in', ids)
    .where('class', '=', 'person')
  const minute = sql<number>`(at - ${sql.lit(from)}) / ${sql.lit(MINUTE_MS)}`
  const minutes = await own
    .select([minute.as('minute'), sql<number>`count(*)`.as('scans')])
    .groupBy('minute')
    .execute()
  const scans = await own
    .select(['id', 'code_id', 'at', 'city', 'country', 'device', 'os'])
    .orderBy('id', 'desc')
    .limit(NOW_SCANS_MAX)
    .execute()
  const unseen = await db
    .selectFrom('scans')
    .select('at')
    .where('id', '>=', idFrom(from))
    .orderBy('id', 'desc')
    .offset(ROWS_MAX)
    .limit(1)
    .executeTakeFirst()
  return {
    since: unseen ? unseen.at + 1 : from,
    minutes: new Map(minutes.map((row) => [Number(row.minute), Number(row.scans)])),
    scans,
  }
}
