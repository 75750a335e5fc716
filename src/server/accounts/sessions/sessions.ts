import { isAPIError } from 'better-auth/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { PAGE_OF } from '#contract/page-of.ts'
import { DAY_MS } from '#contract/time.ts'
import type { Db } from '../../database/schema.ts'
import { AppError } from '../../http/errors.ts'
import { memoryLimits } from '../../http/limits/limits.ts'
import { rateLimit } from '../../http/limits/memory-counts.ts'
import { addressOf, clientAddress } from '../../http/policy/client-address.ts'
import { type Auth, CLIENT_ADDRESS_HEADER, SESSION_DAYS } from '../auth.ts'
import { bearerOf, type KeyCalls } from '../keys/key-calls.ts'
import { type CookieSettings, readCookie } from './cookies.ts'
import { livingSessions } from './sessions-store.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the `requireUser` hook; empty on routes without it. */
    userId: string
    /**
     * Whom the limits of an account count and give turns, set with `userId`: the account, its
     * programs with a key, which hold up no browser, or the address of who looks at the live demo. All who
     * do have one account, and would use up each other's turns.
     */
    rateLimitKey: string
    /** Set by the `requireUser` hook; null on routes without it, for programs with a key, and for who looks at the live demo. */
    session: OwnSession | null
  }
}

/** The session that a request comes with. */
export type OwnSession = { id: string; token: string; signedInAt: Date }

/** The request's headers for Better Auth, with the client's address as Fastify reads it. */
function authHeaders(request: FastifyRequest): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string') headers.set(name, value)
  }
  headers.set(CLIENT_ADDRESS_HEADER, addressOf(request))
  return headers
}

/** Copies the cookies that Better Auth set to our reply. */
function forwardCookies(from: Headers, reply: FastifyReply) {
  for (const cookie of from.getSetCookie()) reply.header('set-cookie', cookie)
}

export type SessionUser = Auth['$Infer']['Session']['user']

/**
 * Who is signed in; null for a visitor. Renews the session's cookie when it is due.
 * @throws AppError unavailable when the sessions cannot be read, other_account for a page of another's
 */
export async function currentUser(
  auth: Auth,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SessionUser | null> {
  return (await currentSession(auth, request, reply))?.user ?? null
}

/** As `currentUser`, with the session. */
export async function currentSession(auth: Auth, request: FastifyRequest, reply: FastifyReply) {
  // A program’s key decides alone, whether there is a cookie or not.
  if (!request.headers.cookie || bearerOf(request) !== undefined) return null
  try {
    const { response, headers } = await auth.api.getSession({
      headers: authHeaders(request),
      returnHeaders: true,
    })
    if (response && isTooOld(response.session.createdAt)) {
      await (await auth.$context).internalAdapter.deleteSession(response.session.token)
      return null
    }
    if (response && isOfOther(request, response.user)) throw new AppError('other_account')
    if (headers) forwardCookies(headers, reply)
    return response
  } catch (error) {
    if (!isAPIError(error)) throw error
    // A session may end between its look-up and its renewal; any other error is the database's.
    if (error.statusCode < 500) return null
    throw new AppError('unavailable')
  }
}

/**
 * A page of ours names the account that it was drawn for. Its cookie alone would not do: the whole
 * browser shares it, so that a page of one account would make its codes in the one that signed in
 * after it. Other callers name none.
 */
function isOfOther({ headers }: FastifyRequest, { id }: { id: string }): boolean {
  return headers[PAGE_OF] !== undefined && headers[PAGE_OF] !== id
}

/** However often a session is used, it ends at last, so that a stolen one does. */
const SESSION_MAX_MS = 90 * DAY_MS

const isTooOld = (createdAt: Date) => Date.now() - createdAt.getTime() > SESSION_MAX_MS

/** Which of these sessions have not ended; nothing is written. */
export const sessionsThatLast = (db: Db, ids: string[]) =>
  livingSessions(db, ids, new Date(Date.now() - SESSION_MAX_MS))

/** The sessions of an account that have not ended. */
export async function listSessions(auth: Auth, userId: string) {
  const { internalAdapter } = await auth.$context
  const sessions = await internalAdapter.listSessions(userId, { onlyActiveSessions: true })
  return sessions.filter(({ createdAt }) => !isTooOld(createdAt))
}

/** Ends the session that this browser has, if any. */
export async function endSession(auth: Auth, cookies: CookieSettings, request: FastifyRequest) {
  const token = readCookie(request, cookies, 'session')
  if (token) await (await auth.$context).internalAdapter.deleteSession(token)
}

/** Whose account a visitor of the live demo reads. @throws AppError for what is no read */
type DemoReads = { reading: (request: FastifyRequest) => Promise<string | undefined> }

/**
 * The hook before every route that needs a user: 401 comes before any other answer.
 */
export function requireUser(auth: Auth, demo: DemoReads, keys: Pick<KeyCalls, 'userOf'>) {
  const countRead = rateLimit(memoryLimits['account-reads'], ({ rateLimitKey }) => rateLimitKey)
  return async (request: FastifyRequest, reply: FastifyReply) => {
    // No cache may keep an account's data; a route can say otherwise for its own answer.
    reply.header('cache-control', 'no-store')
    const key = bearerOf(request)
    if (key !== undefined) {
      request.userId = await keys.userOf(key, request, reply)
      request.rateLimitKey = `key:${request.userId}`
      return countRead(request)
    }
    const found = await currentSession(auth, request, reply)
    if (found) {
      const { id, token, createdAt } = found.session
      request.userId = found.user.id
      request.rateLimitKey = found.user.id
      request.session = { id, token, signedInAt: createdAt }
    } else {
      const shown = await demo.reading(request)
      if (shown === undefined) throw new AppError('unauthorized')
      if (isOfOther(request, { id: shown })) throw new AppError('other_account')
      request.userId = shown
      request.rateLimitKey = clientAddress(request)
    }
    await countRead(request)
  }
}

/** The hook before a route for programs alone: it looks at no cookie. RFC 6750 §3 has the header. */
export function requireKey(requireUser: (...call: RequestHook) => Promise<void>) {
  return async (...[request, reply]: RequestHook) => {
    if (bearerOf(request) !== undefined) return requireUser(request, reply)
    reply.header('www-authenticate', 'Bearer')
    throw new AppError('unauthorized')
  }
}
type RequestHook = [request: FastifyRequest, reply: FastifyReply]

/**
 * Removes sessions and verifications that have ended, with the addresses that they hold: Better Auth
 * removes one only when its cookie comes back. It goes by the system's clock, and so does this. A
 * session that would end later than a new one is from a clock that went back: it ends with new ones.
 */
export async function sweepSessions(auth: Auth): Promise<void> {
  const { adapter } = await auth.$context
  const now = new Date()
  const ended = [{ field: 'expiresAt', operator: 'lt' as const, value: now }]
  for (const model of ['session', 'verification']) await adapter.deleteMany({ model, where: ended })
  const latest = new Date(now.getTime() + SESSION_DAYS * DAY_MS)
  const ahead = [{ field: 'expiresAt', operator: 'gt' as const, value: latest }]
  await adapter.updateMany({ model: 'session', where: ahead, update: { expiresAt: latest } })
}
