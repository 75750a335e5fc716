import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../../actor.ts'
import { type PersonId, personOf, workspaceOf } from '../../database/ids.ts'
import { AppError } from '../../http/errors.ts'
import { memoryLimits } from '../../http/limits/limits.ts'
import { rateLimit } from '../../http/limits/memory-counts.ts'
import { clientAddress, innerCallerOf } from '../../http/policy/client-address.ts'
import { originOf } from '../origin.ts'
import { demandScope, type programCalls } from '../programs/program-calls.ts'
import type { DemoSession } from './demo-session.ts'
import { bearerOf, isOfOther, type Sessions } from './sessions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The key by which the limits of an account count and give turns, set with `actor`: the account;
     * its programs with a key, so that they hold up no browser; or the address of a visitor of the live
     * demo, because all visitors share one account.
     */
    rateLimitKey: string
  }
}

export type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** The hook before every route that needs a user: 401 comes before any other answer. */
export function requireUser(
  sessions: Pick<Sessions, 'current'>,
  demo: Pick<DemoSession, 'reading'> | undefined,
  callerOf: ReturnType<typeof programCalls>,
): Hook {
  const countRead = rateLimit(memoryLimits['account-reads'], ({ rateLimitKey }) => rateLimitKey)
  return async (request, reply) => {
    const actAs = (personId: PersonId, proof: Actor['proof']) => {
      request.actor = {
        personId,
        workspaceId: workspaceOf(personId),
        role: 'owner',
        proof,
        // Few calls write it down.
        get origin() {
          return originOf(request)
        },
      }
    }
    // No cache may keep an account's data; a route can say otherwise for its own answer.
    reply.header('cache-control', 'no-store')
    const caller = innerCallerOf(request)
    if (caller) {
      demandScope(request, caller)
      actAs(caller.personId, caller.proof)
      request.rateLimitKey = `key:${caller.workspaceId}`
      return
    }
    const key = bearerOf(request)
    if (key !== undefined) {
      const { workspaceId, proof } = await callerOf(key, request, reply)
      actAs(personOf(workspaceId), proof)
      request.rateLimitKey = `key:${workspaceId}`
      return countRead(request)
    }
    const session = await sessions.current(request, reply)
    if (session) {
      actAs(session.userId, { kind: 'session', ...session })
      request.rateLimitKey = session.userId
    } else {
      const shown = await demo?.reading(request)
      if (shown === undefined) {
        throw new AppError('unauthorized')
      }
      if (isOfOther(request, shown)) throw new AppError('other_account')
      actAs(shown, null)
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
