import { tiers } from '../billing/plans.ts'
import { flag, instant, oneOf, plainText, text, timeOrNull, whole, wholeOrNull, z } from '../zod.ts'

/*
 * API keys: what a program sends instead of a cookie, as `Authorization: Bearer tsk_…` (RFC 6750 §2.1).
 */

/** The rights of a key. One that writes also reads. */
export const keyScopes = ['read', 'write'] as const
export type KeyScope = (typeof keyScopes)[number]

/** Keys that a workspace has at once. */
export const KEYS_MAX = 20
export const KEY_NAME_MAX = 50
/** The longest life that a key with an end can have. */
export const KEY_DAYS_MAX = 3_650

/** A key as its owner sees it later. `start` is what a list shows of it. */
export const apiKeyEntry = z.strictObject({
  id: z.string(),
  name: z.string(),
  scope: z.enum(keyScopes),
  start: z.string(),
  madeAt: instant,
  /** Null for a key that lasts until it is revoked */
  endsAt: instant.nullable(),
  /** To the minute; null before its first call */
  lastUsedAt: instant.nullable(),
  /** When a restored backup paused it; null while it is on */
  pausedAt: instant.nullable(),
})
export type ApiKeyEntry = z.infer<typeof apiKeyEntry>

/** Body of POST /api/account/keys. `days` is how long it works; null for no end. */
export const newApiKey = z.strictObject({
  name: plainText
    .min(1, 'Give the key a name')
    .max(KEY_NAME_MAX, `Use at most ${KEY_NAME_MAX} characters`),
  scope: z.enum(keyScopes),
  days: z.int().min(1).max(KEY_DAYS_MAX).nullable(),
  /** Proves who acts, where the sign-in is not fresh. */
  password: z.string().min(1, 'Password is required').max(128).optional(),
})
export type NewApiKey = z.infer<typeof newApiKey>

/** The only answer that has the key itself: the database has its hash. */
export const madeApiKey = z.strictObject({ ...apiKeyEntry.shape, key: z.string() })
export type MadeApiKey = z.infer<typeof madeApiKey>

/** `limit` and `left` are null if the plan has no limit. */
const use = z.strictObject({
  limit: wholeOrNull('How many it can have; null without a limit.'),
  used: whole('How many are taken.'),
  left: wholeOrNull('How many more fit; null without a limit.'),
})

/** Answer of GET /api/account/me: the workspace of a key, its plan, and what is left of it. */
export const accountUse = z.strictObject({
  id: text('The id of the workspace.'),
  email: text('The address of its owner, who gets its mails.'),
  plan: oneOf(tiers, 'free, starter, professional or unlimited.'),
  /** Null for a browser */
  key: z
    .strictObject({
      name: text('The name you gave it.'),
      scope: oneOf(keyScopes, '`read`, or `write` for a key that can also write.'),
    })
    .nullable()
    .describe('The key you called with.'),
  codes: use.describe('How many codes it has, and how many it can have.'),
  newNames: use
    .extend({
      limit: wholeOrNull('How many a day has.'),
      /** Null before the first */
      resetsAt: timeOrNull('When the count starts again.'),
    })
    .describe('New codes and custom URLs: how many a day has, and how many are left.'),
  customUrls: flag('Whether the plan has custom URLs.'),
  artwork: flag('Whether the plan has shapes, logos and frames.'),
  domains: whole('How many domains the plan has.'),
})
export type AccountUse = z.infer<typeof accountUse>
