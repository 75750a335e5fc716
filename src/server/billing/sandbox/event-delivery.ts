import { randomBytes } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/schema.ts'
import { pendingEvents, removeEvent, type SandboxEvent } from './sandbox-events.ts'

/** Hands an event to our own webhook; false where that did not take it. */
export type Deliver = (body: string, signature: string) => Promise<boolean>

export type DeliveryDeps = { db: Db; clock: Clock; log: FastifyBaseLogger; deliver: Deliver }

/** Signs events and delivers them, at least once: what was not taken stays for the next time. */
export class EventDelivery {
  /** Known to this process alone: nobody else can sign what its webhook takes. */
  readonly secret = `whsec_${randomBytes(32).toString('base64url')}`
  readonly #deps: DeliveryDeps

  constructor(deps: DeliveryDeps) {
    this.#deps = deps
  }

  /** Delivers what is pending for one customer, or for all. Never fails. */
  async deliver(customerId?: string): Promise<void> {
    const { db, log } = this.#deps
    try {
      for (const event of await pendingEvents(db, customerId)) {
        if (!(await this.#send(event))) return
        await removeEvent(db, event.id)
      }
    } catch (error) {
      log.warn({ err: error }, 'an event of the sandbox is delivered later')
    }
  }

  async #send(event: SandboxEvent): Promise<boolean> {
    const { default: Stripe } = await import('stripe')
    const payload = JSON.stringify(bodyOf(event))
    const timestamp = Math.floor(this.#deps.clock().getTime() / 1000)
    const { secret } = this
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
    return this.#deps.deliver(payload, signature)
  }
}

function bodyOf({ id, type, at, customer_id }: SandboxEvent) {
  const isCustomer = type === 'customer.updated'
  const object = isCustomer
    ? { object: 'customer', id: customer_id }
    : { object: type.split('.').at(-2), customer: customer_id }
  return {
    ...{ id, type, object: 'event', livemode: false },
    ...{ created: Math.floor(at / 1000), data: { object } },
  }
}
