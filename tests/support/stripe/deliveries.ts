import Stripe from 'stripe'

const { webhooks } = new Stripe('sk_test_deliveries')

export type Delivery = {
  origin: string
  webhookSecret: string
  /** When it is signed, in milliseconds. */
  at: number
}

/** The header with Stripe's signature of a body. */
export function signature(
  payload: string,
  { webhookSecret, at }: Omit<Delivery, 'origin'>,
): string {
  const timestamp = Math.floor(at / 1000)
  return webhooks.generateTestHeaderString({ payload, secret: webhookSecret, timestamp })
}

/** Sends an event to a service as Stripe does. */
export function deliver(event: object, delivery: Delivery): Promise<Response> {
  const payload = JSON.stringify(event, null, 2)
  return post(delivery.origin, payload, {
    'content-type': 'application/json; charset=utf-8',
    'stripe-signature': signature(payload, delivery),
  })
}

export function post(
  origin: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
): Promise<Response> {
  return fetch(`${origin}/api/billing/webhook`, { method: 'POST', body, headers })
}
