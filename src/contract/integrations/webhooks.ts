import { URL_MAX } from '../code-values.ts'
import { destinationOf } from '../links.ts'
import { z } from '../zod.ts'
import { eventTypes, webhookTypes } from './webhook-values.ts'

/*
 * Webhooks: addresses that Tessera calls when something happens, after Standard Webhooks
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
 */

const instant = z.iso.datetime()

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

const types = z
  .array(z.enum(webhookTypes))
  .min(1, 'Choose at least one event')
  .transform((list) => webhookTypes.filter((type) => list.includes(type)))

/** Body of POST /api/webhooks. */
export const newWebhook = z.strictObject({ url: address, types })
export type NewWebhook = z.input<typeof newWebhook>

/** Body of PATCH /api/webhooks/{id}: an absent field stays as it is. */
export const webhookChange = z.strictObject({ url: address, types, isOn: z.boolean() }).partial()
export type WebhookChange = z.input<typeof webhookChange>

/** Why a webhook is off: its owner, three days without a good answer, or an answer 410 Gone. */
export const offWhy = z.enum(['owner', 'failing', 'gone'])

export const webhook = z.strictObject({
  id: z.string(),
  url: z.string(),
  types: z.array(z.enum(webhookTypes)),
  madeAt: instant,
  isOn: z.boolean(),
  offSince: instant.nullable(),
  offWhy: offWhy.nullable(),
  /** Since then no try has had a good answer */
  failingSince: instant.nullable(),
  /** Deliveries that wait, up to 1,000 */
  waiting: z.int(),
})
export type Webhook = z.infer<typeof webhook>

/** Without `isInPlan` none can be added, and all rest until the account has the plan again. */
export const webhookList = z.strictObject({ isInPlan: z.boolean(), webhooks: z.array(webhook) })
export type WebhookList = z.infer<typeof webhookList>

/** The secret that signs; the one before signs too, until `formerUntil`. */
export const webhookSecret = z.strictObject({
  secret: z.string(),
  formerUntil: instant.nullable(),
})
export type WebhookSecret = z.infer<typeof webhookSecret>

/** Answer of POST /api/webhooks. */
export const madeWebhook = webhook.extend({ secret: z.string() })
export type MadeWebhook = z.infer<typeof madeWebhook>

export const deliveryState = z.enum(['waiting', 'delivered', 'failed', 'dropped'])

/** An event on its way to an address, or there. */
export const delivery = z.strictObject({
  id: z.string(),
  /** The header webhook-id. It stays the same when the event is sent again. */
  eventId: z.string(),
  type: z.enum(eventTypes),
  at: instant,
  state: deliveryState,
  attempts: z.int(),
  /** Null where no try comes any more */
  nextAt: instant.nullable(),
  triedAt: instant.nullable(),
  /** The HTTP status of the last try; null without an answer, which `answer` then explains */
  status: z.int().nullable(),
  /** The beginning of the answer, at most 1,000 characters */
  answer: z.string().nullable(),
  tookMs: z.int().nullable(),
})
export type Delivery = z.infer<typeof delivery>

export const DELIVERIES_PAGE = 50

/** Query of GET /api/webhooks/{id}/deliveries. `before` is the id of the last one that is known. */
export const deliveriesQuery = z.object({
  before: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional(),
  limit: z.coerce.number().int().min(1).max(200).default(DELIVERIES_PAGE),
})

/** Newest first. */
export const deliveryList = z.strictObject({ items: z.array(delivery), hasMore: z.boolean() })
export type DeliveryList = z.infer<typeof deliveryList>

/** Answer of GET /api/webhooks/deliveries/{id}: with the body as it is sent. */
export const wholeDelivery = delivery.extend({ payload: z.string() })
export type WholeDelivery = z.infer<typeof wholeDelivery>
