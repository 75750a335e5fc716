import type { Group } from '../openapi/operation.ts'
import { TODAY } from '../openapi/story.ts'

const HOOK = '41d7e6b0-9c25-4f83-b1a8-5e0f72c3d964'
const SENT = '73148'
/** The same event once more */
const AGAIN = '73149'
const AT = `${TODAY}T10:00:00.000Z`
const ONE = { path: { id: HOOK } }
const DELIVERY = { path: { id: SENT } }

/** The address of a test's receiver stands in its place. */
export const HOOK_URL = 'https://example.com/hooks/tessera'
const asked = { url: HOOK_URL, types: ['code.created', 'code.scanned'] }
const webhook = {
  id: HOOK,
  ...asked,
  madeAt: AT,
  isOn: true,
  offSince: null,
  offWhy: null,
  failingSince: null,
  waiting: 0,
}
const secret = 'whsec_dGhpcyBpcyBhbiBleGFtcGxlLCBub3QgYSBzZWNyZXQ='
const delivery = {
  id: SENT,
  eventId: 'evt_4b1f0c7d9a2e4836b5c0d1e2f3a49586',
  type: 'webhook.test',
  at: AT,
  state: 'delivered',
  attempts: 1,
  nextAt: null,
  triedAt: AT,
  status: 204,
  answer: '',
  tookMs: 38,
}
const waiting = {
  ...delivery,
  state: 'waiting',
  attempts: 0,
  nextAt: AT,
  triedAt: null,
  status: null,
  answer: null,
  tookMs: null,
}
const payload = `{"type":"webhook.test","timestamp":"${AT}","data":{"message":"This is a test. Tessera can reach this address."}}`

export const webhooks: Group = {
  name: 'Webhooks',
  description:
    'Addresses that Tessera calls when something happens. A program such as a Zapier app or an n8n node adds one when a workflow is turned on, keeps its `id` and `secret`, and removes it when the workflow is turned off (REST hooks). The account’s owner gets an email about each address that a key names, which are at most 10 an hour. A read-only key sees webhooks and deliveries, but no secret.',
  operations: {
    'POST /api/webhooks': {
      name: 'makeWebhook',
      summary: 'Add a webhook',
      description: 'The response has the secret that signs its events.',
      errors: ['webhooks_not_in_plan', 'webhooks_full'],
      example: { body: asked, answer: { status: 201, body: { ...webhook, secret } } },
    },
    'GET /api/webhooks': {
      name: 'listWebhooks',
      summary: 'List webhooks',
      description: 'The first one first, without their secrets.',
      example: { answer: { status: 200, body: { isInPlan: true, webhooks: [webhook] } } },
    },
    'PATCH /api/webhooks/:id': {
      name: 'changeWebhook',
      summary: 'Change a webhook',
      description: 'If it has a new address or is turned on again, waiting events go out at once.',
      errors: ['webhooks_not_in_plan'],
      example: {
        ...ONE,
        body: { types: ['code.scanned'] },
        answer: { status: 200, body: { ...webhook, types: ['code.scanned'] } },
      },
    },
    'POST /api/webhooks/:id/test': {
      name: 'testWebhook',
      summary: 'Send a test',
      description:
        'Sends a `webhook.test` event at once, even if earlier events have failed. Get the delivery again to see what your server answered.',
      errors: ['webhooks_not_in_plan', 'webhook_off'],
      example: { ...ONE, answer: { status: 202, body: waiting } },
    },
    'GET /api/webhooks/:id/deliveries': {
      name: 'listDeliveries',
      summary: 'List deliveries',
      description: 'Newest first, with what your server answered.',
      example: { ...ONE, answer: { status: 200, body: { items: [delivery], hasMore: false } } },
    },
    'GET /api/webhooks/deliveries/:id': {
      name: 'readDelivery',
      summary: 'Get a delivery with its event',
      description: '`payload` is the body as it was sent, or will be.',
      example: { ...DELIVERY, answer: { status: 200, body: { ...delivery, payload } } },
    },
    'POST /api/webhooks/deliveries/:id/resend': {
      name: 'resendEvent',
      summary: 'Send an event again',
      description:
        'At once, and with the same `webhook-id`. The response is the delivery that goes out.',
      errors: ['webhooks_not_in_plan', 'webhook_off'],
      example: { ...DELIVERY, answer: { status: 202, body: { ...waiting, id: AGAIN } } },
    },
    'GET /api/webhooks/:id/secret': {
      name: 'readWebhookSecret',
      summary: 'Get the secret',
      description: 'For keys that can write.',
      example: { ...ONE, answer: { status: 200, body: { secret, formerUntil: null } } },
    },
    'POST /api/webhooks/:id/secret': {
      name: 'changeWebhookSecret',
      summary: 'Create a new secret',
      description: 'The previous one still signs, too, for a day.',
      errors: ['webhooks_not_in_plan'],
      example: { ...ONE, answer: { status: 200, body: { secret, formerUntil: AT } } },
    },
    'DELETE /api/webhooks/:id': {
      name: 'deleteWebhook',
      summary: 'Remove a webhook',
      description: 'Events that are waiting for it aren’t sent.',
      example: { ...ONE, answer: { status: 204 } },
    },
  },
}
