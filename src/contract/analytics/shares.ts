import { plainText, z } from '../zod.ts'
import { SHARE_NOTE_MAX, shareDays } from './figure-values.ts'

/*
 * A code's figures for all who have a link: /s/{token} is the page, and /api/share/{token} with
 * /figures, /breakdown, /heatmap, /classes and /now behind it answers as /api/analytics does, for this
 * one code.
 */

/** Links that a code, and an account, has at once. */
export const SHARES_EACH = 10
export const SHARES_MAX = 100

const instant = z.iso.datetime()

/** The code that is shared. */
export const shareQuery = z.object({ qr: z.uuid() })

/** Body of POST /api/analytics/shares. `note` is for the owner: no page shows it. */
export const newShare = z.strictObject({
  days: z.literal(shareDays).default(30),
  note: plainText.max(SHARE_NOTE_MAX, 'This note is too long').default(''),
})
export type NewShare = z.input<typeof newShare>

/** `link` is null if this server cannot say it any more, because it has another SESSION_SECRET. */
export const share = z.strictObject({
  id: z.string(),
  link: z.string().nullable(),
  note: z.string(),
  madeAt: instant,
  endsAt: instant,
  /** To within ten minutes; null until a visitor has */
  lastOpenedAt: instant.nullable(),
  /** When a restored backup paused it; null while it is on */
  pausedAt: instant.nullable(),
})
export type Share = z.infer<typeof share>

/** A code's links that have not ended, newest first. Without `isInPlan` none can be made, and none works. */
export const shareList = z.strictObject({ isInPlan: z.boolean(), shares: z.array(share) })
export type ShareList = z.infer<typeof shareList>

/** Answer of GET /api/share/{token}/code: all that a visitor learns besides figures. */
export const sharedCode = z.strictObject({ name: z.string(), endsAt: instant })
export type SharedCode = z.infer<typeof sharedCode>
