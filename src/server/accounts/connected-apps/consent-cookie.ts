import type { FastifyReply, FastifyRequest } from 'fastify'
import { type CookieSettings, readCookie, setCookie } from '../sessions/cookies.ts'

const NAME = 'consent'
const LIFE_S = 10 * 60

/** Remembers in the browser which app's request it has answered. */
export function rememberAnswer(reply: FastifyReply, cookies: CookieSettings, uid: string) {
  setCookie(reply, cookies, { name: NAME, value: uid, seconds: LIFE_S })
}

/**
 * Whether this browser has answered the request. The cookies of oidc-provider do not show that: another
 * site of the same domain could have set them.
 */
export function hasAnswered(request: FastifyRequest, cookies: CookieSettings, uid: string) {
  return readCookie(request, cookies, NAME) === uid
}
