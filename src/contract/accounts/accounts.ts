import { tiers } from '../billing/plans.ts'
import { flag, oneOf, ownId, plainText, text, z } from '../zod.ts'
import { roles } from './roles.ts'

/** Shortest password accepted, in characters. */
export const PASSWORD_MIN = 8
/** Longest password accepted, in characters, to limit the work of hashing. */
export const PASSWORD_MAX = 128

/** A workspace in which a person is */
export const workspaceEntry = z.strictObject({
  id: ownId,
  name: text('Its name; “Ada’s workspace” for one that its owner Ada has not named.'),
  role: oneOf(roles, 'What you may do there.'),
  isOwn: flag('Whether it is the one that you have from the first day.'),
  subscriptionTier: oneOf(tiers, 'Its plan.'),
})
export type WorkspaceEntry = z.infer<typeof workspaceEntry>

export const user = z.strictObject({
  id: z.string(),
  email: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  profileImageUrl: z.string().nullable(),
  subscriptionTier: z.enum(tiers),
  emailVerified: z.boolean(),
  /** Null until a browser of theirs has told it */
  timeZone: z.string().nullable(),
  /** When the account is deleted for good, if that was asked for */
  deletionAt: z.iso.datetime().nullable(),
  /** live: the account that cannot be changed; local: an account of `npm run demo` */
  demo: z.enum(['live', 'local']).optional(),
  /** The workspaces of someone who is in more than their own */
  workspaces: z.array(workspaceEntry).optional(),
})
export type User = z.infer<typeof user>

/** Answer of a sign-up and a sign-in. The session's token is in the cookie only. */
export const signedIn = z.strictObject({ user })

/** The step that a sign-in still needs: the second factor's code, or a look at the mail that was sent. */
export const nextStep = z.strictObject({ next: z.enum(['second-factor', 'verify-email']) })

/** Answer of every way to sign in. */
export const signInAnswer = z.union([signedIn, nextStep])
export type SignInAnswer = z.infer<typeof signInAnswer>

/** Answer of POST /api/auth/sign-out. */
export const signedOut = z.strictObject({ success: z.boolean() })

/** The characters of a domain that a person may type */
const DOMAIN = /^[\p{L}\p{M}\p{N}.。-]+$/u

/** An e-mail address with its domain as DNS has it (RFC 5891), so that each way to type it is the same account. */
function withAsciiDomain(text: string): string {
  const at = text.lastIndexOf('@') + 1
  const domain = text.slice(at)
  if (text.length > 254 || !DOMAIN.test(domain) || /^[\w.-]*$/.test(domain)) return text
  return text.slice(0, at) + (URL.parse(`http://${domain}`)?.hostname ?? domain)
}

const typedEmail = z.string('Enter a valid email address').overwrite(withAsciiDomain)
const validEmail = z.email('Enter a valid email address')

/** An e-mail address that can become an account's */
export const email = typedEmail.pipe(validEmail.max(254, 'Email address is too long'))

/** Body of POST /api/auth/sign-in/email. */
export const signIn = z.object({
  email: typedEmail.pipe(validEmail),
  password: z.string().min(1, 'Password is required').max(PASSWORD_MAX),
})
export type SignIn = z.infer<typeof signIn>

/** A new password. The server refuses more: common ones, one character repeated, the own address or name. */
export const password = z
  .string()
  .min(PASSWORD_MIN, `Password must be at least ${PASSWORD_MIN} characters`)
  .max(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters`)

/** The code of an authenticator app (6 digits), or a recovery code. */
export const secondFactorCode = z.strictObject({
  code: z.string().trim().min(6, 'Enter the code').max(40, 'Enter the code'),
})
export type SecondFactorCode = z.infer<typeof secondFactorCode>

/** Body of the calls that mail a link: forgot-password, sign-in/link and verify-email/send. */
export const mailTo = z.strictObject({ email })
export type MailTo = z.infer<typeof mailTo>

/** The purposes of mailed links. Its address is `/api/login?link=KIND#TOKEN`. */
export const linkKinds = [
  'reset-password',
  'sign-in',
  'verify-email',
  'approve-email',
  'prove-email',
] as const
export type LinkKind = (typeof linkKinds)[number]

/** The secret part of a mailed link. */
const token = z.string().min(1).max(100)
export const mailedToken = z.strictObject({ token })
export type MailedToken = z.infer<typeof mailedToken>

/** Body of the calls that prove an address. The password shows whose account it is where no session does. */
export const addressProof = z.strictObject({
  token,
  password: z.string().min(1, 'Password is required').max(PASSWORD_MAX).optional(),
})
export type AddressProof = z.infer<typeof addressProof>

/** Body of POST /api/auth/reset-password. */
export const passwordReset = z.strictObject({ token, password })
export type PasswordReset = z.infer<typeof passwordReset>

/** Body of POST /api/auth/sign-up/email. */
export const signUp = z.object({
  name: plainText.min(1, 'Name is required').max(200, 'Name is too long'),
  email,
  password,
})
export type SignUp = z.infer<typeof signUp>

/** GET /api/config: what a page needs to know about this server before anyone signs in. */
export const publicConfig = z.strictObject({
  hostUrl: z.string(),
  billing: z.enum(['stripe', 'sandbox', 'off']),
  checkout: z.enum(['hosted', 'embedded']),
  publishableKey: z.string().nullable(),
  /** Whether a plan's price contains tax, by `priceKey`; absent where no tax is computed */
  taxBehaviors: z.record(z.string(), z.enum(['exclusive', 'inclusive'])).optional(),
  supportEmail: z.string().nullable(),
  privacyUrl: z.string().nullable(),
  termsUrl: z.string().nullable(),
  signUp: z.enum(['open', 'closed']),
  /** Whether mails leave this server; without a mail server they are files for the operator */
  mail: z.enum(['smtp', 'outbox']),
  passwordLogin: z.boolean(),
  /** The name of the OpenID Connect provider; null without one */
  provider: z.string().nullable(),
  /** Whether a new account proves its address before its first sign-in */
  verifyEmail: z.enum(['optional', 'required']),
  /** Whether scans may have regions: the packaged place database has none */
  hasRegions: z.boolean(),
})
export type PublicConfig = z.infer<typeof publicConfig>
