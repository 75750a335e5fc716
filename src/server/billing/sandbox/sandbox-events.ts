import { randomBytes, randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { Db, Tx } from '../../database/schema.ts'

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

/** Signs events as Stripe does and delivers each at least once: an event stays until it is taken. */
export class SandboxEvents {
  /** Known to this process alone: no other can sign an event that its webhook accepts. */
  readonly secret = `whsec_${randomBytes(32).toString('base64url')}`
  readonly #deps: EventDeps

  constructor(deps: EventDeps) {
    this.#deps = deps
  }

  /** Delivers the pending events of one customer, or all of them. Never fails. */
  async deliver(customerId?: string): Promise<void> {
    const { db, log } = this.#deps
    try {
      let pending = db.selectFrom('sandbox_events').selectAll()
      if (customerId) pending = pending.where('customer_id', '=', customerId)
      for (const event of await pending.orderBy('at').limit(EVENTS_MAX).execute()) {
        if (!(await this.#send(event))) return
        await db.deleteFrom('sandbox_events').where('id', '=', event.id).execute()
      }
    } catch (error) {
      log.warn({ err: error }, 'a sandbox event was not delivered; it will be tried again')
    }
  }

  async #send({ id, customer_id, at }: { id: string; customer_id: string; at: number }) {
    const { default: Stripe } = await import('stripe')
    const payload = JSON.stringify({
      id,
      type: 'customer.subscription.updated',
      object: 'event',
      livemode: false,
      created: Math.floor(at / 1000),
      data: { object: { object: 'subscription', customer: customer_id } },
    })
    const timestamp = Math.floor(this.#deps.clock().getTime() / 1000)
    const { secret } = this
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
    return this.#deps.deliver(payload, signature)
  }
}
