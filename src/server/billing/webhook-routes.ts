import type { FastifyInstance } from 'fastify'
import type { EventInbox } from './event-inbox.ts'
import type { PaymentProvider } from './provider.ts'

export const WEBHOOK_PATH = '/api/billing/webhook'

/** Largest event taken, in bytes. */
const EVENT_MAX = 1024 * 1024

type WebhookDeps = { provider: PaymentProvider; inbox: EventInbox }

/**
 * Where the provider sends its events. An event only says that something about a customer has
 * changed; the state is read from the provider. Events that are not for us get the same answer.
 */
export async function webhookRoutes(app: FastifyInstance, { provider, inbox }: WebhookDeps) {
  // The signature covers the bytes as they arrived.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  app.post(WEBHOOK_PATH, { bodyLimit: EVENT_MAX }, async (request) => {
    const signature = request.headers['stripe-signature']
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const event = await provider.readEvent(body, signature?.toString())
    if (event) await inbox.take(event)
    return { received: true }
  })
}
