import type { FastifyInstance } from 'fastify'
import type { Clock } from '../clock.ts'
import type { EventInbox } from './event-inbox.ts'
import type { PaymentProvider } from './provider.ts'
import { readSignedEvent } from './signed-event.ts'

export const WEBHOOK_PATH = '/api/billing/webhook'

/** Largest event taken, in bytes. */
const EVENT_MAX = 1024 * 1024

type WebhookDeps = { provider: PaymentProvider; inbox: EventInbox; clock: Clock }

/**
 * Where the provider sends its events. An event only says that something about a customer has
 * changed; the state is read from the provider. Events that are not for us, or of another mode (test or
 * live), get the same answer.
 */
export async function webhookRoutes(
  app: FastifyInstance,
  { provider: { mode, webhookSecrets }, inbox, clock }: WebhookDeps,
) {
  // The signature covers the bytes as they arrived.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  app.post(WEBHOOK_PATH, { bodyLimit: EVENT_MAX }, async (request) => {
    const signature = request.headers['stripe-signature']?.toString()
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const { livemode, ...event } = await readSignedEvent(body, signature, webhookSecrets, clock())
    if (livemode === (mode === 'live')) await inbox.take(event)
    return { received: true }
  })
}
