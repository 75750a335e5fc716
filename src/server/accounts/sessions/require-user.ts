import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Proof } from '../../database/request-proof.ts'
import type { Db } from '../../database/schema.ts'
import { AppError } from '../../http/errors.ts'
import { memoryLimits } from '../../http/limits/limits.ts'
import { rateLimit } from '../../http/limits/memory-counts.ts'
import { clientAddress, innerCallerOf } from '../../http/policy/client-address.ts'
import { bearerOf, demandScope, type KeyCalls } from '../keys/key-calls.ts'
import type { DemoSession } from './demo-session.ts'
import { liveProof } from './live-proof.ts'
import { isOfOther, type Sessions } from './sessions.ts'
import type { Session } from './sessions-store.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the `requireUser` hook; empty on routes without it. */
    userId: string
    /**
     * The key by which the limits of an account count and give turns, set with `userId`: the account;
     * its programs with a key, so that they hold up no browser; or the address of a visitor of the live
     * demo, because all visitors share one account.
     */
    rateLimitKey: string
    /** Set by the `requireUser` hook; null on routes without it, for programs with a key, and in the live demo. */
    session: OwnSession | null
    /** Set with `userId`; null in the live demo, where nothing can be changed. */
    proof: Proof | null
  }
}

/** The session that a request comes with. */
export type OwnSession = Pick<Session, 'id' | 'signedInAt' | 'provedAt'>

export type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** The hook before every route that needs a user: 401 comes before any other answer. */
export function requireUser(
  db: Db,
  sessions: Pick<Sessions, 'current'>,
  demo: Pick<DemoSession, 'reading'>,
  keys: Pick<KeyCalls, 'userOf'>,
): Hook {
  const countRead = rateLimit(memoryLimits['account-reads'], ({ rateLimitKey }) => rateLimitKey)
  return async (request, reply) => {
    // No cache may keep an account's data; a route can say otherwise for its own answer.
    reply.header('cache-control', 'no-store')
    const caller = innerCallerOf(request)
    if (caller) {
      demandScope(request, caller.apiKey.scope)
      request.userId = caller.userId
      request.rateLimitKey = `key:${caller.userId}`
      request.apiKey = caller.apiKey
      request.proof = caller.proof
      return
    }
    const key = bearerOf(request)
    if (key !== undefined) {
      request.userId = await keys.userOf(key, request, reply)
      request.rateLimitKey = `key:${request.userId}`
      return countRead(request)
    }
    const session = await sessions.current(request, reply)
    if (session) {
      request.userId = session.userId
      request.rateLimitKey = session.userId
      request.session = session
      request.proof = liveProof(db, { in: 'sessions', ...session })
    } else {
      const shown = await demo.reading(request)
      if (shown === undefined) {
        throw new AppError('unauthorized')
      }
      if (isOfOther(request, shown)) throw new AppError('other_account')
      request.userId = shown
      request.rateLimitKey = clientAddress(request)
    }
    await countRead(request)
  }
}

/** The hook before a route for programs only: it ignores cookies. */
export function requireKey(requireUser: Hook): Hook {
  return async (request, reply) => {
    if (bearerOf(request) !== undefined) return requireUser(request, reply)
    throw new AppError('unauthorized')
  }
}
