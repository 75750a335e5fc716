import { sql } from 'kysely'
import type { Db } from '../../database/schema.ts'
import type { Period } from '../query/periods.ts'
import type { Series } from '../query/series.ts'

/** A code's scans by persons, and those in the period before. */
export type CodeSums = { name: string; scans: number; before: number }

/** Ids in one query, below the parameter limits of both engines. */
const IDS_MAX = 1_000

/** The codes with the most scans by persons in a period of quarter-hours, most first. */
export async function topCodes(
  db: Db,
  codes: Series[],
  { period, before, limit }: { period: Period; before: Period; limit: number },
): Promise<CodeSums[]> {
  const sumOf = ({ from, to }: Period) =>
    sql<number>`sum(case when quarter >= ${sql.lit(from)} and quarter < ${sql.lit(to)}
      then persons else 0 end)`
  let top: CodeSums[] = []
  for (let at = 0; at < codes.length; at += IDS_MAX) {
    const part = new Map(codes.slice(at, at + IDS_MAX).map(({ id, name }) => [id, name]))
    const rows = await db
      .selectFrom('scan_counts')
      .select(['code_id', sumOf(period).as('scans'), sumOf(before).as('before')])
      .where('code_id', 'in', [...part.keys()])
      .where('quarter', '>=', before.from)
      .where('quarter', '<', period.to)
      .groupBy('code_id')
      .execute()
    const sums = rows.map((row) => ({
      name: part.get(row.code_id) ?? '',
      ...{ scans: Number(row.scans), before: Number(row.before) },
    }))
    top = [...top, ...sums.filter(({ scans }) => scans > 0)]
      .sort((one, other) => other.scans - one.scans || (one.name < other.name ? -1 : 1))
      .slice(0, limit)
  }
  return top
}
