import { index, type Migrations, onSqlite, owned } from './steps.ts'

export const artworkKeysAndTags: Migrations = {
  /** A code's shapes, gradient, margin, logo and frame as JSON. Older codes have none of them. */
  async '021-artwork'({ schema }) {
    await schema.alterTable('codes').addColumn('artwork', 'text').execute()
  },

  /** The logos of an account, each once: their pixels, which the server drew from what was sent. */
  async '022-logos'(db) {
    const { schema } = db
    const isSqlite = onSqlite(db)
    await schema
      .createTable('logos')
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('width', 'integer', (column) => column.notNull())
      .addColumn('height', 'integer', (column) => column.notNull())
      .addColumn('reach', 'real', (column) => column.notNull())
      .addColumn('size', 'integer', (column) => column.notNull())
      .addColumn('data', isSqlite ? 'blob' : 'bytea', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('logos_key', ['user_id', 'id'])
      .execute()
    await index(schema, 'logos_id', 'logos', ['id'])
  },

  /** The looks that an account keeps under a name, as JSON; new codes begin with the one that is the default. */
  async '023-looks'({ schema }) {
    await schema
      .createTable('looks')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('look', 'text', (column) => column.notNull())
      .addColumn('is_default', 'integer', (column) => column.notNull())
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('looks_name', ['user_id', 'name'])
      .execute()
  },

  /** Results of photos of a code's prints. They are deleted with the code. */
  async '024-print-proofs'({ schema }) {
    await schema
      .createTable('print_proofs')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('code_id', 'text', owned('codes.id'))
      .addColumn('verdict', 'text', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .execute()
    await index(schema, 'print_proofs_code', 'print_proofs', ['code_id', 'at'])
  },

  /** The keys by which programs act for an account. The database has only their hashes. */
  async '025-api-keys'({ schema }) {
    await schema
      .createTable('api_keys')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('scope', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull().unique())
      .addColumn('start', 'text', (column) => column.notNull())
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addColumn('ends_at', 'bigint')
      .addColumn('used_at', 'bigint')
      .execute()
    await index(schema, 'api_keys_user', 'api_keys', ['user_id'])
  },

  /** The tags of an account, and which codes have them. `folded` is the name as two names are compared. */
  async '026-tags'({ schema }) {
    await schema
      .createTable('tags')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('folded', 'text', (column) => column.notNull())
      .addColumn('colour', 'text', (column) => column.notNull())
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('tags_name', ['user_id', 'folded'])
      .execute()
    await schema
      .createTable('code_tags')
      .addColumn('code_id', 'text', owned('codes.id'))
      .addColumn('tag_id', 'text', owned('tags.id'))
      .addPrimaryKeyConstraint('code_tags_key', ['code_id', 'tag_id'])
      .execute()
    await index(schema, 'code_tags_by_tag', 'code_tags', ['tag_id'])
  },
}
