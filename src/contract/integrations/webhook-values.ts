/*
 * Values only, for who does not load Zod.
 */

/** The events that an address can get. A code that comes back from the bin is created once more. */
export const webhookTypes = [
  'code.created',
  'code.updated',
  'code.deleted',
  'code.expired',
  'code.scanned',
  'tag.updated',
  'tag.deleted',
  'subscription.updated',
] as const
export type WebhookType = (typeof webhookTypes)[number]

/** The test is sent to one address when its owner asks for it. */
export const eventTypes = [...webhookTypes, 'webhook.test'] as const
export type EventType = (typeof eventTypes)[number]

/** Webhooks of an account. */
export const WEBHOOKS_MAX = 10

/** Hours for which a secret still signs after another one was made. */
export const OVERLAP_HOURS = 24

/** Days for which events are kept, sent or not. */
export const EVENT_DAYS = 30
