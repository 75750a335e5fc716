import {
  addColumns,
  index,
  key,
  type Migrations,
  onSqlite,
  owned,
  required,
  table,
  unique,
} from './steps.ts'

export const artworkKeysAndTags: Migrations = {
  /** A code's shapes, gradient, margin, logo and frame as JSON. Older codes have none of them. */
  '021-artwork': ({ schema }) => addColumns(schema, 'codes', { artwork: 'text' }),

  /** The logos of an account, each once: their pixels, which the server drew from what was sent. */
  async '022-logos'(db) {
    const { schema } = db
    const isSqlite = onSqlite(db)
    await table(schema, 'logos', {
      user_id: required('text'),
      id: required('text'),
      name: required('text'),
      width: required('integer'),
      height: required('integer'),
      reach: required('real'),
      size: required('integer'),
      data: required(isSqlite ? 'blob' : 'bytea'),
      created_at: required('bigint'),
    })
      .addPrimaryKeyConstraint('logos_key', ['user_id', 'id'])
      .execute()
    await index(schema, 'logos_id', 'logos', ['id'])
  },

  /** The looks that an account keeps under a name, as JSON; new codes begin with the one that is the default. */
  async '023-looks'({ schema }) {
    await table(schema, 'looks', {
      id: key('text'),
      user_id: required('text'),
      name: required('text'),
      look: required('text'),
      is_default: required('integer'),
      made_at: required('bigint'),
    })
      .addUniqueConstraint('looks_name', ['user_id', 'name'])
      .execute()
  },

  /** Results of photos of a code's prints. They are deleted with the code. */
  async '024-print-proofs'({ schema }) {
    await table(schema, 'print_proofs', {
      id: key('text'),
      code_id: owned('codes.id'),
      verdict: required('text'),
      at: required('bigint'),
    }).execute()
    await index(schema, 'print_proofs_code', 'print_proofs', ['code_id', 'at'])
  },

  /** The keys by which programs act for an account. The database has only their hashes. */
  async '025-api-keys'({ schema }) {
    await table(schema, 'api_keys', {
      id: key('text'),
      user_id: required('text'),
      name: required('text'),
      scope: required('text'),
      hash: unique('text'),
      start: required('text'),
      made_at: required('bigint'),
      ends_at: 'bigint',
      used_at: 'bigint',
    }).execute()
    await index(schema, 'api_keys_user', 'api_keys', ['user_id'])
  },

  /** The tags of an account, and which codes have them. `folded` is the name as two names are compared. */
  async '026-tags'({ schema }) {
    await table(schema, 'tags', {
      id: key('text'),
      user_id: required('text'),
      name: required('text'),
      folded: required('text'),
      colour: required('text'),
      made_at: required('bigint'),
    })
      .addUniqueConstraint('tags_name', ['user_id', 'folded'])
      .execute()
    await table(schema, 'code_tags', {
      code_id: owned('codes.id'),
      tag_id: owned('tags.id'),
    })
      .addPrimaryKeyConstraint('code_tags_key', ['code_id', 'tag_id'])
      .execute()
    await index(schema, 'code_tags_by_tag', 'code_tags', ['tag_id'])
  },
}
