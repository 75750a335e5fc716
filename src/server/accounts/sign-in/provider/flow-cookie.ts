import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from '#contract/zod.ts'
import { type CookieSettings, cookieNames, readCookie, setCookie } from '../../sessions/cookies.ts'

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

/** Sign-ins that a browser has begun, in a cookie each: beyond that the oldest ends. */
const FLOWS_MAX = 3
const NAME = 'provider_'
const nameOf = (state: string) => NAME + state.slice(0, 16)
const LIFE_S = 10 * 60
/** A cookie has at most 4,096 bytes with its name (RFC 6265 §6.1), in base64 and signed. */
const RETURN_TO_MAX = 1_500

export function rememberFlow(
  request: FastifyRequest,
  reply: FastifyReply,
  cookies: CookieSettings,
  begun: Omit<Flow, 'until'>,
  now: Date,
) {
  const returnTo = begun.returnTo.length > RETURN_TO_MAX ? '/' : begun.returnTo
  const whole: Flow = { ...begun, returnTo, until: now.getTime() + LIFE_S * 1000 }
  const value = Buffer.from(JSON.stringify(whole)).toString('base64url')
  // Browsers send the oldest first (RFC 6265 §5.4).
  const begunBefore = cookieNames(request, cookies, NAME)
  for (const name of begunBefore.slice(0, 1 - FLOWS_MAX)) {
    setCookie(reply, cookies, { name, value: '', seconds: 0 })
  }
  setCookie(reply, cookies, { name: nameOf(whole.state), value, seconds: LIFE_S })
}

/** The sign-in that this browser began with this state, which it can end once; undefined without one or if it is too late. */
export function takeFlow(
  request: FastifyRequest,
  reply: FastifyReply,
  cookies: CookieSettings,
  { state, now }: { state: string; now: Date },
): Flow | undefined {
  const name = nameOf(state)
  const value = readCookie(request, cookies, name)
  if (!value) return undefined
  setCookie(reply, cookies, { name, value: '', seconds: 0 })
  const read = flow.safeParse(JSON.parse(Buffer.from(value, 'base64url').toString()))
  const isOwn = read.success && read.data.state === state && read.data.until > now.getTime()
  return isOwn ? read.data : undefined
}
