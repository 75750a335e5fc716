import { z } from '../zod.ts'
import { type KeyScope, keyScopes } from './api-keys.ts'

/*
 * Connected apps: agents that a person allows to work with the account by a click (OAuth 2.1), without a key.
 */

/** Apps that an account has at once. */
export const APPS_MAX = 20

/** An app in its owner's settings. */
export const connectedApp = z.strictObject({
  id: z.string(),
  /** As the app calls itself; empty without a name */
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
  /** Where the answer goes: an origin, or the scheme of a program on the device, such as `cursor:` */
  sendsTo: z.string(),
  scopes: z.array(z.enum(keyScopes)).min(1),
})
export type ConnectRequest = z.infer<typeof connectRequest>

/** Body of the consent. The password proves who acts, where the sign-in is not fresh. */
export const connectAnswer = z.strictObject({
  scope: z.enum(keyScopes),
  password: z.string().min(1, 'Password is required').max(128).optional(),
})

/** The address that the browser opens next. */
export const connectDone = z.strictObject({ url: z.string() })
export type ConnectDone = z.infer<typeof connectDone>

/** The scopes that an app asks for: an app that names none of ours asks for all. */
export function scopesAsked(text = ''): KeyScope[] {
  const asked = text.split(' ')
  const known = keyScopes.filter((scope) => asked.includes(scope))
  return known.length > 0 ? known : [...keyScopes]
}
