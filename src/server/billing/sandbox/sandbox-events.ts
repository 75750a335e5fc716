import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Db, SandboxEventsTable, Tx } from '../../database/schema.ts'

export type SandboxEvent = Selectable<SandboxEventsTable>

/** Stripe's names of what an event can tell (https://docs.stripe.com/api/events/types). */
export type EventType =
  | 'checkout.session.completed'
  | 'customer.subscription.updated'
  | 'customer.subscription.deleted'
  | 'customer.updated'
  | 'invoice.paid'
  | 'invoice.payment_failed'

/** Kept in the transaction of the change that it tells of, until it is delivered. */
export async function addEvent(tx: Tx, customerId: string, type: EventType, at: Date) {
  const id = `evt_test_${randomUUID()}`
  await tx
    .insertInto('sandbox_events')
    .values({ id, customer_id: customerId, type, at: at.getTime() })
    .execute()
}

/** At most that many at once. */
const EVENTS_MAX = 1_000

/** What is still to be delivered, to one customer or to all. */
export async function pendingEvents(db: Db, customerId?: string): Promise<SandboxEvent[]> {
  let query = db.selectFrom('sandbox_events').selectAll()
  if (customerId) query = query.where('customer_id', '=', customerId)
  return query.orderBy('at').limit(EVENTS_MAX).execute()
}

export async function removeEvent(db: Db, id: string): Promise<void> {
  await db.deleteFrom('sandbox_events').where('id', '=', id).execute()
}
