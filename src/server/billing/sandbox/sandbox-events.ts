import { randomBytes, randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { Db, Tables, Tx } from '../../database/schema.ts'

/** Hands an event to our own webhook; false if the webhook refused it. */
export type Deliver = (body: string, signature: string) => Promise<boolean>

export type EventDeps = { db: Db; clock: Clock; log: FastifyBaseLogger; deliver: Deliver }

/** The most events that are delivered at once. */
const EVENTS_MAX = 1_000

/** Records that a customer has changed, in the transaction of the change. */
export async function addEvent(tx: Tx, customerId: string, at: Date): Promise<void> {
  const id = `evt_test_${randomUUID()}`
  await tx
    .insertInto('sandbox_events')
    .values({ id, customer_id: customerId, at: at.getTime() })
    .execute()
}

export type SandboxEvents = ReturnType<typeof sandboxEvents>

/** Signs events as Stripe does and delivers each at least once: an event stays until it is taken. */
export function sandboxEvents({ db, clock, log, deliver: hand }: EventDeps) {
  /** Known to this process alone: no other can sign an event that its webhook accepts. */
  const secret = `whsec_${randomBytes(32).toString('base64url')}`

  async function send({ id, customer_id, at }: Tables['sandbox_events']): Promise<boolean> {
    const { default: Stripe } = await import('stripe')
    const payload = JSON.stringify({
      id,
      type: 'customer.subscription.updated',
      object: 'event',
      livemode: false,
      created: Math.floor(at / 1000),
      data: { object: { object: 'subscription', customer: customer_id } },
    })
    const timestamp = Math.floor(clock().getTime() / 1000)
    return hand(payload, Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp }))
  }

  /** Delivers the pending events of one customer, or all of them. Never fails. */
  async function deliver(customerId?: string): Promise<void> {
    try {
      let pending = db.selectFrom('sandbox_events').selectAll()
      if (customerId) pending = pending.where('customer_id', '=', customerId)
      for (const event of await pending.orderBy('at').limit(EVENTS_MAX).execute()) {
        if (!(await send(event))) return
        await db.deleteFrom('sandbox_events').where('id', '=', event.id).execute()
      }
    } catch (error) {
      log.warn({ err: error }, 'a sandbox event was not delivered; it will be tried again')
    }
  }

  return { secret, deliver }
}
