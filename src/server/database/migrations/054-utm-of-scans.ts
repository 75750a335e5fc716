import { type Kysely, sql } from 'kysely'
import { DAY_MS } from '#contract/time.ts'

/**
 * The UTM parameters of a scan's destination, as one word. Scans before the UTC day of the mark noted none,
 * and a scan without them from then on met none.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('scans').addColumn('utm', 'text').execute()
  const tomorrow = Math.floor(Date.now() / DAY_MS) + 1
  await sql`insert into ledger_marks (name, at, place)
    select 'utm-from', ${sql.lit(tomorrow)}, '' from (select 1 from scans limit 1) as scanned`.execute(
    db,
  )
}
