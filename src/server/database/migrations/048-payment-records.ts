import { type Kysely, sql } from 'kysely'

/** An account's payments, refunds, disputes and cancellations; and since when receipts are mailed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema
    .createTable('payment_records')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('amount', 'bigint')
    .addColumn('currency', 'text')
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('comment', 'text')
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute()
  const index = schema.createIndex('payment_records_user').on('payment_records')
  await index.columns(['user_id', 'at']).execute()
  // To the second, like the payments of the provider.
  const at = Math.floor(Date.now() / 1000) * 1000
  await sql`insert into service_marks (name, at, value) values ('receipts', ${at}, '')`.execute(db)
}
