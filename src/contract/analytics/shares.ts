import {
  createdAt,
  flag,
  instant,
  list,
  ownId,
  plainText,
  text,
  textOrNull,
  time,
  timeOrNull,
  z,
} from '../zod.ts'
import { SHARE_NOTE_MAX, shareDays } from './figure-values.ts'

/*
 * A code's figures for all who have a link: /s/{token} is the page, and /api/share/{token} with
 * /figures, /breakdown, /heatmap, /classes and /now behind it answers as /api/analytics does, for this
 * one code.
 */

/** Links that a code, and an account, has at once. */
export const SHARES_EACH = 10
export const SHARES_MAX = 100

/** The code that is shared. */
export const shareQuery = z.object({ qr: z.uuid().describe('The id of the code.') })

const NOTE = 'For you: the page doesn’t show it.'

/** Body of POST /api/analytics/shares. `note` is for the owner: no page shows it. */
export const newShare = z.strictObject({
  days: z.literal(shareDays).default(30).describe('How many days the link works.'),
  note: plainText.max(SHARE_NOTE_MAX, 'This note is too long').default('').describe(NOTE),
})
export type NewShare = z.input<typeof newShare>

/** `link` is null if this server cannot say it any more, because it has another SESSION_SECRET. */
export const share = z.strictObject({
  id: ownId,
  link: textOrNull(
    'The address to share; null for a key that only reads, and if it can’t be shown anymore.',
  ),
  note: text(NOTE),
  madeAt: createdAt,
  endsAt: time('When it ends.'),
  lastOpenedAt: timeOrNull('When it was last opened, to ten minutes.'),
  pausedAt: timeOrNull(
    'When it was paused because Tessera was restored from a backup; null if it’s on. Turn it on again on the dashboard.',
  ),
})
export type Share = z.infer<typeof share>

/** A code's links that have not ended, newest first. Without `isInPlan` none can be made, and none works. */
export const shareList = z.strictObject({
  isInPlan: flag('False if the plan doesn’t include share links: then none works.'),
  shares: list(share, 'All share links of the code.'),
})
export type ShareList = z.infer<typeof shareList>

/** Answer of GET /api/share/{token}/code: all that a visitor learns besides figures. */
export const sharedCode = z.strictObject({ name: z.string(), endsAt: instant })
export type SharedCode = z.infer<typeof sharedCode>
