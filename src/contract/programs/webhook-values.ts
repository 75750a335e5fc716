/*
 * Values only, for who does not load Zod.
 */

/** What an address can be told of. A code that comes back from the bin is created once more. */
export const webhookTypes = [
  'code.created',
  'code.updated',
  'code.deleted',
  'code.expired',
  'code.scanned',
  'subscription.updated',
] as const
export type WebhookType = (typeof webhookTypes)[number]

/** The test is sent to one address when its owner asks for it. */
export const eventTypes = [...webhookTypes, 'webhook.test'] as const
export type EventType = (typeof eventTypes)[number]

/** Webhooks of an account. */
export const WEBHOOKS_MAX = 10

/** A secret signs for so long after another one was made. */
export const OVERLAP_HOURS = 24

/** Events are kept for so long, sent or not. */
export const EVENT_DAYS = 30
