import { sql } from 'kysely'
import type { Verdict } from '#qr/scan-check/verdict.ts'
import type { Db } from '../../database/schema.ts'
import type { CodeRow } from '../codes-store.ts'
import { lookColumns } from '../rules.ts'

/** A code that people may scan: neither a draft nor in the bin. */
export async function findLive(db: Db, id: string): Promise<CodeRow | undefined> {
  return db
    .selectFrom('codes')
    .selectAll()
    .where('id', '=', id)
    .where('saved_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/**
 * Live codes without a verdict of this generation: every account's oldest code, then every account's
 * second, so that an account that changes thousands keeps no other waiting.
 */
export async function uncheckedCodes(
  db: Db,
  generation: string,
  limit: number,
): Promise<Pick<CodeRow, 'id' | 'user_id'>[]> {
  return db
    .selectFrom('codes')
    .select(['id', 'user_id'])
    .where('saved_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .where((row) =>
      row.or([
        row('legibility_of', 'is', null),
        row('legibility_of', 'not like', `${generation}.%`),
      ]),
    )
    .orderBy(sql`row_number() over (partition by user_id order by created_at)`)
    .orderBy('created_at')
    .limit(limit)
    .execute()
}

/** Stores the verdict on a row's look, unless the code's look has changed since that row was read. */
export async function storeVerdict(db: Db, row: CodeRow, verdict: Verdict, of: string) {
  let update = db
    .updateTable('codes')
    .set({ legibility: verdict, legibility_of: of })
    .where('id', '=', row.id)
  for (const column of lookColumns) {
    update = update.where(column, 'is not distinct from', row[column])
  }
  await update.execute()
}
