import { sql } from 'kysely'
import type { Db } from '../../../database/schema.ts'
import { QUARTERS_A_DAY } from '../../../dates.ts'

/** Ids in one query, below the parameter limits of both engines. */
const IDS_MAX = 1_000

/**
 * The UTC days, from `from` up to but not including `to`, on which an account has scans of other codes
 * than these, such as those in the bin; 'all' where that is not known. Sums of all codes are not those
 * of these codes then.
 */
export async function othersDays(
  db: Db,
  userId: string,
  codes: ReadonlySet<string | null>,
  { from, to }: { from: number; to: number },
): Promise<ReadonlySet<number> | 'all'> {
  const purged = db.selectFrom('forgotten_codes').select('code_id').where('user_id', '=', userId)
  if (await purged.limit(1).executeTakeFirst()) return 'all'
  const own = await db.selectFrom('codes').select('id').where('user_id', '=', userId).execute()
  const others = own.map(({ id }) => id).filter((id) => !codes.has(id))
  const days = new Set<number>()
  for (let at = 0; at < others.length; at += IDS_MAX) {
    const ids = others.slice(at, at + IDS_MAX)
    const { rows } = await sql<{ day: number }>`
      select distinct quarter / ${sql.lit(QUARTERS_A_DAY)} as day from scan_counts
      where code_id in (${sql.join(ids)})
        and quarter >= ${from * QUARTERS_A_DAY} and quarter < ${to * QUARTERS_A_DAY}`.execute(db)
    for (const { day } of rows) days.add(day)
  }
  return days
}
