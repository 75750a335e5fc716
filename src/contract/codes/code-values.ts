import { DAY_MS } from '../time.ts'

/*
 * Values only, as in plans.ts: the dashboard shows its list with these, and loads Zod only with the
 * form.
 */

/** The most characters of a name in DNS (RFC 1035 §2.3.4), without the root's dot. */
export const HOST_MAX = 253

export const NAME_MAX = 200
export const URL_MAX = 2048
/** Characters of the password of a code */
export const CODE_PASSWORD_MAX = 128
/** Characters of an owner's own id of a code */
export const EXTERNAL_ID_MAX = 255
export const VANITY_MIN = 3
export const VANITY_MAX = 50

/** Days that a deleted code stays in the bin, from where its owner can restore it. */
export const BIN_DAYS = 30

export const PAGE_SIZE = 25
/** Most codes in one answer. */
export const LIST_MAX = 10_000

/** Codes of a list that is read by a cursor, in one answer. */
export const CURSOR_PAGE = { default: 100, max: 1_000 }

/** The entity tag of a code's version, for ETag and If-Match (RFC 9110 §8.8.3). */
export const tagOf = (version: number) => `"${version}"`

export const codeStatuses = ['active', 'inactive', 'expired'] as const
export type CodeStatus = (typeof codeStatuses)[number]

/** The filters of a list: a status, or the codes that are not scanned any more. */
export const listFilters = [...codeStatuses, 'unscanned'] as const
export type ListFilter = (typeof listFilters)[number]

/** A code without a scan for this many days may be forgotten, or lost. */
export const UNSCANNED_DAYS = 30

/** Whether the code had 30 days without a scan, in which it was there. Instants are in epoch milliseconds. */
export function isUnscanned(
  { createdAt, lastScan }: { createdAt: number; lastScan: number | undefined },
  now: Date,
): boolean {
  const since = now.getTime() - UNSCANNED_DAYS * DAY_MS
  return createdAt < since && (lastScan === undefined || lastScan < since)
}

/** A paused code is inactive; another one is expired once its end, or its owner's, has passed, and active before. */
export function statusOf(
  code: { isActive: boolean; expiresAt: string | null; endsAt: string | null },
  now: Date,
): CodeStatus {
  if (!code.isActive) return 'inactive'
  const isOver = (end: string | null) => end !== null && now >= new Date(end)
  return isOver(code.endsAt) || isExpired(code, now) ? 'expired' : 'active'
}

/** Whether the free plan has ended the code: a paid one lets it work again. */
export const isExpired = ({ expiresAt }: { expiresAt: string | null }, now: Date) =>
  expiresAt !== null && now > new Date(expiresAt)

/** Tags of an account. */
export const TAGS_MAX = 200
/** Tags of one code. */
export const CODE_TAGS_MAX = 20
export const TAG_NAME_MAX = 40

/** The colours of tags; the client has a text colour and a ground for each. */
export const tagColours = [
  'green',
  'orange',
  'blue',
  'yellow',
  'purple',
  'red',
  'teal',
  'pink',
  'brown',
  'grey',
] as const
export type TagColour = (typeof tagColours)[number]

/** Two names that fold to the same are one tag. */
export const foldedTag = (name: string) => name.trim().normalize('NFC').toLowerCase()

/** Characters that no database column, header, mail or file name of ours should ever meet. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
export const CONTROL = /[\u0000-\u001f\u007f]/

/**
 * Characters that turn the direction of the text around them until they are closed: a name with one
 * of these would turn whatever stands beside it (Unicode Standard Annex 9, 2.1 to 2.4). The marks that only letters
 * beside them feel, such as U+200F, stay: right-to-left names need them.
 */
export const TURNING = /[\u202a-\u202e\u2066-\u2069]/

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The text as an id in the spelling of the database, lower case; undefined if it is not a UUID. */
export function uuidOf(text: string): string | undefined {
  return UUID.test(text) ? text.toLowerCase() : undefined
}

/** Most codes in one series, and most labels in one file. */
export const SERIES_MAX = 1_000
