import { URL_MAX } from '../codes/code-values.ts'
import { destinationOf } from '../links.ts'
import {
  createdAt,
  flag,
  list,
  oneOf,
  ownId,
  text,
  textOrNull,
  time,
  timeOrNull,
  whole,
  wholeOrNull,
  z,
} from '../zod.ts'
import { eventTypes, webhookTypes } from './webhook-values.ts'

/*
 * Webhooks: addresses that Tessera calls when something happens, after Standard Webhooks
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
 */

/** Where events are sent. Which addresses it may have, the server says when it connects. */
const address = z
  .string()
  .trim()
  .max(URL_MAX, `The URL must be at most ${URL_MAX} characters`)
  .transform((text, context) => {
    const url = destinationOf(text)
    if (url !== null) return url
    context.addIssue({ code: 'custom', message: 'Enter a URL that starts with https://' })
    return z.NEVER
  })
  .describe('Where events are sent, with https://.')

const types = z
  .array(z.enum(webhookTypes))
  .min(1, 'Choose at least one event')
  .transform((list) => webhookTypes.filter((type) => list.includes(type)))
  .describe('The events that are sent there.')

/** Body of POST /api/webhooks. */
export const newWebhook = z.strictObject({ url: address, types })
export type NewWebhook = z.input<typeof newWebhook>

/** Body of PATCH /api/webhooks/{id}: an absent field stays as it is. */
export const webhookChange = z
  .strictObject({ url: address, types, isOn: flag('Whether events are sent.') })
  .partial()
export type WebhookChange = z.input<typeof webhookChange>

/** Why a webhook is off: its owner, three days without a good answer, or an answer 410 Gone. */
export const offWhy = z.enum(['owner', 'failing', 'gone'])

export const webhook = z.strictObject({
  id: ownId,
  url: text('Where events are sent.'),
  types: list(z.enum(webhookTypes), 'The events that are sent there.'),
  madeAt: createdAt,
  isOn: flag('Whether events are sent.'),
  offSince: timeOrNull('Since when it’s off; null if it’s on.'),
  offWhy: offWhy.nullable().describe('Who or what turned it off; null if it’s on.'),
  failingSince: timeOrNull('Since when no delivery has succeeded.'),
  waiting: whole('How many deliveries are waiting, up to 1,000.'),
})
export type Webhook = z.infer<typeof webhook>

export const webhookList = z.strictObject({
  isInPlan: flag('If false, none can be added, and all are paused.'),
  webhooks: list(webhook, 'All of them.'),
})
export type WebhookList = z.infer<typeof webhookList>

/** The secret that signs; the one before signs too, until `formerUntil`. */
export const webhookSecret = z.strictObject({
  secret: text('Signs the events. Keep it like a password.'),
  formerUntil: timeOrNull('Until when the previous one signs, too.'),
})
export type WebhookSecret = z.infer<typeof webhookSecret>

/** Answer of POST /api/webhooks. */
export const madeWebhook = webhook.extend({ secret: webhookSecret.shape.secret })
export type MadeWebhook = z.infer<typeof madeWebhook>

export const deliveryState = z.enum(['waiting', 'delivered', 'failed', 'dropped'])

/** An event on its way to an address, or there. */
export const delivery = z.strictObject({
  id: ownId,
  eventId: text('The `webhook-id`, which stays the same if it’s sent again.'),
  type: oneOf(eventTypes, 'What happened.'),
  at: time('When it happened.'),
  state: deliveryState.describe('Failed after ten attempts; dropped if too many scans waited.'),
  attempts: whole('How often it was sent.'),
  nextAt: timeOrNull('When it’s sent again; null if it isn’t.'),
  triedAt: timeOrNull('When it was last sent.'),
  status: wholeOrNull('The status of the last response; null without one.'),
  answer: textOrNull('How that began, or why there was none.'),
  tookMs: wholeOrNull('How long it took, in milliseconds.'),
})
export type Delivery = z.infer<typeof delivery>

export const DELIVERIES_PAGE = 50

/** Query of GET /api/webhooks/{id}/deliveries. */
export const deliveriesQuery = z.object({
  before: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional()
    .describe('The id of the last delivery you have: the response has older ones.'),
  limit: z.coerce.number().int().min(1).max(200).default(DELIVERIES_PAGE).describe('How many.'),
})

/** Newest first. */
export const deliveryList = z.strictObject({
  items: list(delivery, 'This page of the list.'),
  hasMore: flag('Whether there are older ones.'),
})
export type DeliveryList = z.infer<typeof deliveryList>

/** Answer of GET /api/webhooks/deliveries/{id}: with the body as it is sent. */
export const wholeDelivery = delivery.extend({
  payload: text('The body, as it’s sent.'),
})
export type WholeDelivery = z.infer<typeof wholeDelivery>
