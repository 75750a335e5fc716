import { codeState } from '#contract/codes/code-history.ts'
import { qrCode } from '#contract/codes/codes.ts'
import { tag } from '#contract/codes/tags.ts'
import { errorBody } from '#contract/errors.ts'
import { planNews, scanNews, tagNews } from '#contract/integrations/webhook-events.ts'
import type { EventType } from '#contract/integrations/webhook-values.ts'
import { z } from '#contract/zod.ts'

/*
 * The events that webhooks send, as the document has them (`webhooks` of OpenAPI 3.1).
 */

export const eventWords: Record<EventType, string> = {
  'code.created':
    'a code was created or restored. `data` is the code. If it has a password, all events of the code leave out what that protects: `url`, `fallbackUrl` and the addresses in `rules` are empty.',
  'code.updated':
    'a code was changed. `data` is the code as it is now, and `changed` names the fields of its history that changed.',
  'code.deleted': 'a code was deleted. `data` is the code as it was.',
  'code.expired': 'a code from the Free plan has expired. `data` is the code.',
  'code.scanned':
    'people scanned codes. At most one event per second: `data` has `total`, `byCode` with the `version` of each, and up to 1,000 `scans`.',
  'tag.updated':
    'a tag was renamed or recolored. `data` is the tag. A new name changes all codes that have it: each gets its next `version`, and no event of its own.',
  'tag.deleted':
    'a tag was deleted. `data` is the tag as it was. The codes that had it each get their next `version`, and no event of their own.',
  'subscription.updated':
    'your plan has changed. `data` has `tier`, `status` and `currentPeriodEnd`.',
  'webhook.test': 'someone asked for a test.',
}

const eventOf = <Type extends EventType, Data extends z.ZodType>(type: Type, data: Data) =>
  z.strictObject({
    type: z.literal(type).describe('What happened.'),
    timestamp: z.iso.datetime().describe('When it happened.'),
    data: data.describe('What it’s about, as it was when this happened.'),
  })

/** The body of each type of event */
export const events = {
  'code.created': eventOf('code.created', qrCode),
  'code.updated': eventOf('code.updated', qrCode.extend({ changed: codeState.shape.changed })),
  'code.deleted': eventOf('code.deleted', qrCode),
  'code.expired': eventOf('code.expired', qrCode),
  'code.scanned': eventOf('code.scanned', scanNews),
  'tag.updated': eventOf('tag.updated', tagNews),
  'tag.deleted': eventOf('tag.deleted', tag),
  'subscription.updated': eventOf('subscription.updated', planNews),
  'webhook.test': eventOf('webhook.test', errorBody.pick({ message: true }).strict()),
} satisfies Record<EventType, z.ZodType>

/** The headers of each call, after Standard Webhooks */
export const eventHeaders = {
  WebhookId: header('webhook-id', {
    description: 'The id of the event. It stays the same when the event is sent again.',
    example: 'evt_4b1f0c7d9a2e4836b5c0d1e2f3a49586',
  }),
  WebhookTimestamp: header('webhook-timestamp', {
    description: 'When this call was made, in seconds since 1970. Refuse one that is minutes old.',
    example: '1772704800',
  }),
  WebhookSignature: header('webhook-signature', {
    description:
      '`v1,` and the HMAC-SHA256 of id, timestamp and body, joined by dots, in base64. After a new secret there are two, with a space between them.',
    example: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  }),
}

function header(name: string, words: { description: string; example: string }) {
  return { name, in: 'header', required: true, schema: { type: 'string' }, ...words }
}

/** 'code.created' as the name of its schema: CodeCreatedEvent. */
export const nameOfEvent = (type: string) =>
  `${type.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`

/** Each event as a call that a receiver gets. */
export const describedEvents = () =>
  Object.fromEntries(
    Object.entries(eventWords).map(([type, words]) => [type, { post: callOf(type, words) }]),
  )

function callOf(type: string, words: string) {
  const name = nameOfEvent(type)
  const schema = { $ref: `#/components/schemas/${name}` }
  const names = Object.keys(eventHeaders)
  return {
    operationId: `on${name}`,
    tags: ['Webhooks'],
    summary: type,
    description: `We call you: ${words}`,
    security: [],
    parameters: names.map((header) => ({ $ref: `#/components/parameters/${header}` })),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'You’ve taken the event. Any other response has it sent again.' },
      410: { description: 'You want no more events: the webhook is turned off.' },
    },
  }
}
