import { type Kysely, sql } from 'kysely'

/**
 * Deliveries go out by their due time, no more in lines that keep the order of one code's events: `line`
 * becomes the event's type. A webhook that another version was sending to is due.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('webhook_deliveries_due')
    .on('webhook_deliveries')
    .columns(['endpoint_id', 'next_at'])
    .where(sql<boolean>`state = 'waiting'`)
    .execute()
  await sql`update webhook_deliveries set line =
    (select type from webhook_events where webhook_events.seq = webhook_deliveries.event_seq)
    where state = 'waiting'`.execute(db)
  await sql`update webhook_endpoints set due_at = 0 where due_at is null`.execute(db)
}
