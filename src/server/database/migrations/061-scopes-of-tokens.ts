import { type Kysely, sql } from 'kysely'

/** The scope and the resource of an app's token get columns beside the JSON that had them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter.constructor.name === 'SqliteAdapter'
  const records = db.schema.alterTable('oauth_records')
  await records.addColumn('scope', 'text').execute()
  await records.addColumn('resource', 'text').execute()
  const data = isSqlite ? sql`data` : sql`data::json`
  await sql`
    update oauth_records set scope = ${data} ->> 'scope', resource = ${data} ->> 'aud'
    where kind = 'AccessToken'`.execute(db)
}
