import { tiers } from './plans.ts'
import { plainText, z } from './zod.ts'

/** Shortest password accepted, in characters. */
export const PASSWORD_MIN = 8
/** Longest password accepted, in characters, to limit the work of hashing. */
export const PASSWORD_MAX = 128

export const user = z.strictObject({
  id: z.string(),
  email: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  profileImageUrl: z.string().nullable(),
  subscriptionTier: z.enum(tiers),
})
export type User = z.infer<typeof user>

/** Answer of a sign-up and a sign-in. The session's token is in the cookie only. */
export const signedIn = z.strictObject({ user })
export type SignedIn = z.infer<typeof signedIn>

/** Answer of POST /api/auth/sign-out. */
export const signedOut = z.strictObject({ success: z.boolean() })

/** Body of POST /api/auth/sign-in/email. */
export const signIn = z.object({
  email: z.email('Enter a valid e-mail address'),
  password: z.string().min(1, 'Password is required').max(PASSWORD_MAX),
})
export type SignIn = z.infer<typeof signIn>

/** Body of POST /api/auth/sign-up/email. */
export const signUp = z.object({
  name: plainText.min(1, 'Name is required').max(200, 'Name is too long'),
  email: z.email('Enter a valid e-mail address').max(254, 'E-mail address is too long'),
  password: z
    .string()
    .min(PASSWORD_MIN, `Password must be at least ${PASSWORD_MIN} characters`)
    .max(PASSWORD_MAX, `Password must be at most ${PASSWORD_MAX} characters`),
})
export type SignUp = z.infer<typeof signUp>

/** GET /api/config: what a page needs to know about this server before anyone signs in. */
export const publicConfig = z.strictObject({
  hostUrl: z.string(),
  billing: z.enum(['stripe', 'sandbox', 'off']),
  checkout: z.enum(['hosted', 'embedded']),
  publishableKey: z.string().nullable(),
  supportEmail: z.string().nullable(),
  privacyUrl: z.string().nullable(),
  termsUrl: z.string().nullable(),
  signUp: z.enum(['open', 'closed']),
})
export type PublicConfig = z.infer<typeof publicConfig>
