import type { Kysely } from 'kysely'

/** Codes have an id of their owner's. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema.alterTable('codes').addColumn('external_id', 'text').execute()
  await schema
    .createIndex('codes_external_id')
    .unique()
    .on('codes')
    .columns(['user_id', 'external_id'])
    .where('external_id', 'is not', null)
    .execute()
}
