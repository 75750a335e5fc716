import type { Group } from '../openapi/operation.ts'

export const webhooks: Group = {
  name: 'Webhooks',
  description:
    'Addresses that Tessera calls when something happens. A program such as a Zapier app or an n8n node adds one when a workflow is turned on, keeps its `id` and `secret`, and removes it when the workflow is turned off (REST hooks). Webhooks are for owners and admins of a workspace. Its owner gets an email about each address that a key names, which are at most 10 an hour. A read-only key sees webhooks and deliveries, but no secret.',
  operations: {
    'POST /api/webhooks': {
      name: 'makeWebhook',
      summary: 'Add a webhook',
      description: 'The response has the secret that signs its events.',
      errors: ['webhooks_not_in_plan', 'webhooks_full'],
    },
    'GET /api/webhooks': {
      name: 'listWebhooks',
      description: 'The first one first, without their secrets.',
    },
    'PATCH /api/webhooks/:id': {
      name: 'changeWebhook',
      description: 'If it has a new address or is turned on again, waiting events go out at once.',
      errors: ['webhooks_not_in_plan'],
    },
    'POST /api/webhooks/:id/test': {
      name: 'testWebhook',
      summary: 'Send a test',
      description:
        'Sends a `webhook.test` event at once, even if earlier events have failed. Get the delivery again to see what your server answered.',
      errors: ['webhooks_not_in_plan', 'webhook_off'],
    },
    'GET /api/webhooks/:id/deliveries': {
      name: 'listDeliveries',
      description: 'Newest first, with what your server answered.',
    },
    'GET /api/webhooks/deliveries/:id': {
      name: 'readDelivery',
      summary: 'Get a delivery with its event',
      description: '`payload` is the body as it was sent, or will be.',
    },
    'POST /api/webhooks/deliveries/:id/resend': {
      name: 'resendEvent',
      summary: 'Send an event again',
      description:
        'At once, and with the same `webhook-id`. The response is the delivery that goes out.',
      errors: ['webhooks_not_in_plan', 'webhook_off'],
    },
    'GET /api/webhooks/:id/secret': {
      name: 'readWebhookSecret',
      summary: 'Get the secret',
      description: 'For keys that can write.',
    },
    'POST /api/webhooks/:id/secret': {
      name: 'changeWebhookSecret',
      summary: 'Create a new secret',
      description: 'The previous one still signs, too, for a day.',
      errors: ['webhooks_not_in_plan'],
    },
    'DELETE /api/webhooks/:id': {
      name: 'deleteWebhook',
      summary: 'Remove a webhook',
      description: 'Events that are waiting for it aren’t sent.',
    },
  },
}
