import { sql } from 'kysely'
import {
  addColumns,
  index,
  type Migrations,
  owned,
  required,
  requiredKey,
  saying,
  table,
  unique,
  withDefault,
} from './steps.ts'

export const members: Migrations = {
  /**
   * Workspaces and their members. Each account's own workspace has the id of the account, by which its codes, plan
   * and keys go already; those that are made later have ids of their own.
   */
  '067-members': {
    /** The version before must be stopped: it would make accounts without a workspace. */
    needsStop: true,
    async up(db) {
      const { schema } = db
      await table(schema, 'workspaces', {
        id: requiredKey('text'),
        owner_id: required('text'),
        is_own: required('integer'),
        name: 'text',
        shown_name: 'text',
        shown_contact: 'text',
        demands_second_step: withDefault('integer', 0),
        made_at: required('bigint'),
      }).execute()
      await index(schema, 'workspaces_owner', 'workspaces', ['owner_id'])
      await sql`create unique index workspaces_own on workspaces (owner_id) where is_own = 1`.execute(
        db,
      )
      await table(schema, 'members', {
        workspace_id: owned('workspaces.id'),
        person_id: required('text'),
        role: required('text'),
        since: required('bigint'),
      })
        .addPrimaryKeyConstraint('members_key', ['workspace_id', 'person_id'])
        .execute()
      await index(schema, 'members_person', 'members', ['person_id'])
      await table(schema, 'invitations', {
        id: requiredKey('text'),
        workspace_id: owned('workspaces.id'),
        email: required('text'),
        role: required('text'),
        hash: unique('text'),
        invited_by: required('text'),
        is_shown: required('integer'),
        made_at: required('bigint'),
        ends_at: required('bigint'),
      })
        .addUniqueConstraint('invitations_email', ['workspace_id', 'email'])
        .execute()
      const now = Date.now()
      await sql`insert into workspaces (id, owner_id, is_own, shown_name, shown_contact, made_at)
        select id, id, 1, shown_name, shown_contact, ${now} from users`.execute(db)
      await sql`insert into members (workspace_id, person_id, role, since)
        select id, id, 'owner', ${now} from users`.execute(db)
      // The purge of these accounts is under way, and has removed their people first.
      await sql`insert into workspaces (id, owner_id, is_own, made_at)
        select user_id, user_id, 1, ${now} from deletions
        where user_id not in (select id from users)`.execute(db)
      for (const column of ['shown_name', 'shown_contact']) {
        await schema.alterTable('users').dropColumn(column).execute()
      }
    },
  },

  /** The people who made keys, apps and imports, and who changed codes. */
  async '068-who-made-it'(db) {
    const { schema } = db
    for (const name of ['api_keys', 'connected_apps', 'imports']) {
      await addColumns(schema, name, { made_by: 'text' })
      await sql`update ${sql.table(name)} set made_by = workspace_id`.execute(db)
    }
    await addColumns(schema, 'codes', { changed_by: 'text', changed_at: 'bigint' })
    await addColumns(schema, 'code_states', { person_id: 'text' })
    await sql`update code_states set person_id =
      (select workspace_id from codes where codes.id = code_states.code_id)`.execute(db)
    await addColumns(schema, 'audit_entries', { program: 'text' })
    await sql`update audit_entries set workspace_id = user_id
      where workspace_id is null and user_id in (select id from workspaces)`.execute(db)
    await index(schema, 'audit_entries_workspace', 'audit_entries', ['workspace_id', 'at'])
  },

  /** The customers of owners who have handed their workspace over. */
  '069-former-customers': ({ schema }) =>
    table(schema, 'former_customers', {
      customer_id: requiredKey('text'),
      provider: required('text'),
    }).execute(),

  /** Deletions are of an account, or of a workspace alone. */
  async '070-deletions-of-workspaces'(db) {
    const { schema } = db
    await schema.alterTable('deletions').renameTo('deletions_before').execute()
    await schema.dropIndex('deletions_by_due').execute()
    await table(schema, 'deletions', {
      id: requiredKey('text'),
      user_id: saying('text', (column) => column.unique()),
      workspace_id: saying('text', (column) =>
        column.unique().references('workspaces.id').onDelete('cascade'),
      ),
      due_at: required('bigint'),
      plan_stopped_at: 'bigint',
      warned_at: 'bigint',
      purge_began_at: 'bigint',
      pseudonym: 'text',
    }).execute()
    await index(schema, 'deletions_by_due', 'deletions', ['due_at'])
    const columns = sql.raw(
      'user_id, due_at, plan_stopped_at, warned_at, purge_began_at, pseudonym',
    )
    await sql`insert into deletions (id, ${columns}) select user_id, ${columns} from deletions_before`.execute(
      db,
    )
    await schema.dropTable('deletions_before').execute()
  },
}
