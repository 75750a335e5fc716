import { timeZone } from '../analytics/analytics.ts'
import { plainText, z } from '../zod.ts'
import { email, password, secondFactorCode } from './accounts.ts'
import { securityEvents } from './audit.ts'

/*
 * The account's own settings: /profile?settings=… shows them, /api/account changes them.
 */

/** Mails that are not about security; each can be switched off. */
export const noticeKinds = ['code-ends', 'destination-dead', 'payment-failed', 'plan-ends'] as const
export type NoticeKind = (typeof noticeKinds)[number]

const instant = z.iso.datetime()

/** A browser that is signed in. `address` is shortened: the last part is left out. */
export const sessionEntry = z.strictObject({
  id: z.string(),
  isCurrent: z.boolean(),
  device: z.string(),
  address: z.string().nullable(),
  signedInAt: instant,
  lastSeenAt: instant,
})
export type SessionEntry = z.infer<typeof sessionEntry>

export const passkeyEntry = z.strictObject({
  id: z.string(),
  name: z.string(),
  addedAt: instant,
  lastUsedAt: instant.nullable(),
})
export type PasskeyEntry = z.infer<typeof passkeyEntry>

/** Answer of GET /api/account. */
export const accountSettings = z.strictObject({
  email: z.string(),
  emailVerified: z.boolean(),
  /** The address that the account is about to get; null without a change under way */
  pendingEmail: z.string().nullable(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  pictureUrl: z.string().nullable(),
  timeZone: z.string().nullable(),
  hasPassword: z.boolean(),
  /** The linked OpenID Connect provider's name; null without one */
  provider: z.string().nullable(),
  secondFactor: z.strictObject({ isOn: z.boolean(), recoveryCodesLeft: z.number().int() }),
  passkeys: z.array(passkeyEntry),
  /** Those that are switched off */
  noticesOff: z.array(z.enum(noticeKinds)),
  /** When the account is deleted for good, if that was asked for */
  deletionAt: instant.nullable(),
})
export type AccountSettings = z.infer<typeof accountSettings>

/** Body of PATCH /api/account; what is absent stays. */
export const accountChange = z.strictObject({
  firstName: plainText.max(100, 'First name is too long').optional(),
  lastName: plainText.max(100, 'Last name is too long').optional(),
  /** Its canonical name is kept. */
  timeZone: timeZone.optional(),
  noticesOff: z.array(z.enum(noticeKinds)).max(noticeKinds.length).optional(),
})
export type AccountChange = z.infer<typeof accountChange>

/** A body that proves who acts, where the sign-in is not fresh: the password, if the account has one. */
const proof = z.string().min(1, 'Password is required').max(128).optional()

export const emailChange = z.strictObject({
  email,
  password: proof,
})

export const passwordChange = z.strictObject({ current: proof, password })

export const ownerProof = z.strictObject({ password: proof })
export type OwnerProof = z.infer<typeof ownerProof>

/** Answer of POST /api/account/second-factor: what an authenticator app needs. It is on after the first code. */
export const secondFactorOffer = z.strictObject({ secret: z.string(), uri: z.string() })
export type SecondFactorOffer = z.infer<typeof secondFactorOffer>

/** Body of POST /api/account/second-factor/confirm. */
export const secondFactorProof = secondFactorCode.extend({ password: proof })

/** Answer of POST /api/account/provider/link: where the browser goes next. */
export const providerLink = z.strictObject({ url: z.string() })
export type ProviderLink = z.infer<typeof providerLink>

/** Shown once; the database has only their hashes. */
export const recoveryCodes = z.strictObject({ codes: z.array(z.string()) })
export type RecoveryCodes = z.infer<typeof recoveryCodes>

/** A line of the account's history. */
export const historyEntry = z.strictObject({
  id: z.string(),
  at: instant,
  event: z.enum(securityEvents),
  device: z.string().nullable(),
  address: z.string().nullable(),
})
export type HistoryEntry = z.infer<typeof historyEntry>

/** Largest picture of a person that is taken, in bytes and in pixels. */
export const PICTURE_MAX_BYTES = 5 * 1024 * 1024
export const PICTURE_MAX_PIXELS = 16_000_000

/** How long a deleted account can be restored, in days. */
export const DELETION_DAYS = 30

/** Answer of POST /api/account/deletion: when the account is purged. */
export const accountDeletion = z.strictObject({ deletionAt: instant })
