import type { Db, ScansTable } from '../../database/schema.ts'
import { quarterOf } from '../../dates.ts'
import { idFrom } from '../store/ledger/scan-ids.ts'

/**
 * The ledger has no index by code: this many of its newest rows are looked at, of all codes. Who asks
 * every two seconds sees each scan of a server with up to 2,500 a second.
 */
const ROWS_MAX = 5_000

export type SeenScan = Pick<ScansTable, 'at' | 'city' | 'country' | 'device' | 'os'>

/**
 * The newest scan of a code by a person after an instant in epoch milliseconds. The rollup, which has
 * the code in its key, tells first whether there can be one.
 */
export async function latestPersonsScan(
  db: Db,
  codeId: string,
  after: number,
): Promise<SeenScan | undefined> {
  const counted = await db
    .selectFrom('scan_counts')
    .select('quarter')
    .where('code_id', '=', codeId)
    .where('quarter', '>=', quarterOf(after))
    .where('persons', '>', 0)
    .limit(1)
    .executeTakeFirst()
  if (!counted) return undefined
  const newest = db
    .selectFrom('scans')
    .select(['id', 'code_id', 'at', 'class', 'city', 'country', 'device', 'os'])
    .where('id', '>=', idFrom(after + 1))
    .orderBy('id', 'desc')
    .limit(ROWS_MAX)
  return db
    .selectFrom(newest.as('newest'))
    .select(['at', 'city', 'country', 'device', 'os'])
    .where('code_id', '=', codeId)
    .where('class', '=', 'person')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}
