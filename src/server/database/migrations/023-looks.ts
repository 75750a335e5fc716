import type { Kysely } from 'kysely'

/** The looks that an account keeps under a name, as JSON; new codes begin with the one that is the default. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('looks')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('look', 'text', (column) => column.notNull())
    .addColumn('is_default', 'integer', (column) => column.notNull())
    .addColumn('made_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('looks_name', ['user_id', 'name'])
    .execute()
}
