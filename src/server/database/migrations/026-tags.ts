import type { Kysely } from 'kysely'

/** The tags of an account, and which codes have them. `folded` is the name as two names are compared. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('tags')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('folded', 'text', (column) => column.notNull())
    .addColumn('colour', 'text', (column) => column.notNull())
    .addColumn('made_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('tags_name', ['user_id', 'folded'])
    .execute()
  await db.schema
    .createTable('code_tags')
    .addColumn('code_id', 'text', (column) =>
      column.notNull().references('codes.id').onDelete('cascade'),
    )
    .addColumn('tag_id', 'text', (column) =>
      column.notNull().references('tags.id').onDelete('cascade'),
    )
    .addPrimaryKeyConstraint('code_tags_key', ['code_id', 'tag_id'])
    .execute()
  await db.schema.createIndex('code_tags_by_tag').on('code_tags').column('tag_id').execute()
}
