import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from '#contract/zod.ts'
import { type CookieSettings, readCookie, setCookie } from '../../sessions/cookies.ts'

/** The state that a browser keeps between leaving for the provider and coming back. */
const flow = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  /** The account that gets the provider as a way in; null for a sign-in */
  linkTo: z.string().nullable(),
  /** Epoch milliseconds */
  until: z.number(),
})
export type Flow = z.infer<typeof flow>

const NAME = 'provider'
const LIFE_S = 10 * 60
/** A cookie has at most 4,096 bytes with its name (RFC 6265 §6.1), in base64 and signed. */
const RETURN_TO_MAX = 1_500

export function rememberFlow(
  reply: FastifyReply,
  cookies: CookieSettings,
  begun: Omit<Flow, 'until'>,
  now: Date,
) {
  const returnTo = begun.returnTo.length > RETURN_TO_MAX ? '/' : begun.returnTo
  const whole: Flow = { ...begun, returnTo, until: now.getTime() + LIFE_S * 1000 }
  const value = Buffer.from(JSON.stringify(whole)).toString('base64url')
  setCookie(reply, cookies, { name: NAME, value, seconds: LIFE_S })
}

/** The sign-in that this browser began, which it can end once; undefined without one or if it is too late. */
export function takeFlow(
  request: FastifyRequest,
  reply: FastifyReply,
  cookies: CookieSettings,
  now: Date,
): Flow | undefined {
  const value = readCookie(request, cookies, NAME)
  if (!value) return undefined
  setCookie(reply, cookies, { name: NAME, value: '', seconds: 0 })
  const read = flow.safeParse(JSON.parse(Buffer.from(value, 'base64url').toString()))
  return read.success && read.data.until > now.getTime() ? read.data : undefined
}
