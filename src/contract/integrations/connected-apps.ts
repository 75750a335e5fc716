import { z } from '../zod.ts'
import { type KeyScope, keyScopes } from './api-keys.ts'

/*
 * Connected apps: agents that a person allows to work with the account by a click (OAuth 2.1), without a key.
 */

/** Apps that an account has at once. */
export const APPS_MAX = 20

/** An app in its owner's settings. `name` is the app's own word for itself, or empty. */
export const connectedApp = z.strictObject({
  id: z.string(),
  name: z.string(),
  host: z.string(),
  scope: z.enum(keyScopes),
  madeAt: z.iso.datetime(),
  /** To the minute; null before its first call */
  lastUsedAt: z.iso.datetime().nullable(),
})
export type ConnectedApp = z.infer<typeof connectedApp>

/** An app that asks to be connected. */
export const connectRequest = z.strictObject({
  name: z.string(),
  /** The site that describes the app, if its id is an address; else null: anyone can take its name */
  site: z.string().nullable(),
  /** Where the answer goes: an origin, or the address of a program on the device, `cursor://name/callback` */
  sendsTo: z.string(),
  scopes: z.array(z.enum(keyScopes)),
})
export type ConnectRequest = z.infer<typeof connectRequest>

/** The person's answer: null declines. The password proves who acts, where the sign-in is not fresh. */
export const connectAnswer = z.strictObject({
  scope: z.enum(keyScopes).nullable(),
  password: z.string().min(1, 'Password is required').max(128).optional(),
})
export type ConnectAnswer = z.infer<typeof connectAnswer>

/** The scopes that an app asks for: an app that names none of ours asks for all. */
export function scopesAsked(text: string): KeyScope[] {
  const known = keyScopes.filter((scope) => text.split(' ').includes(scope))
  return known.length > 0 ? known : [...keyScopes]
}
