import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KeyScope } from '#contract/integrations/api-keys.ts'
import type { EntitlementsOf } from '../../billing/types.ts'
import { AppError, tryAgainIn } from '../../http/errors.ts'
import { memoryLimits } from '../../http/limits/limits.ts'
import { counter, isInside } from '../../http/limits/memory-counts.ts'
import type { RoomDeps } from '../../room.ts'
import type { BackgroundTasks } from '../background-tasks.ts'
import { findKey, type KeyRow, noteKeyUse } from './keys-store.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The key that a program makes this call with, set by the `requireUser` hook. */
    apiKey: { id: string; name: string; scope: KeyScope } | null
  }
}

type Deps = Pick<RoomDeps, 'db' | 'clock'> & {
  later: BackgroundTasks
  entitlementsOf: EntitlementsOf
}

/** The key that a request has, as `Authorization: Bearer …` (RFC 6750 §2.1); undefined without one. */
export function bearerOf({ headers }: FastifyRequest): string | undefined {
  const [scheme, ...rest] = headers.authorization?.split(' ') ?? []
  return scheme?.toLowerCase() === 'bearer' ? rest.join(' ').trim() : undefined
}

/**
 * The calls of programs with keys. The row of a key is read for each call, so that a revoked key opens
 * nothing in any process, and a change of the plan counts at once.
 */
export class KeyCalls {
  readonly #deps: Deps
  readonly #count = counter(memoryLimits['key-calls'])

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * The account whose key this is, for a route that takes it.
   * @throws AppError key_invalid, rate_limited, key_paused, key_not_here, api_not_in_plan, key_read_only
   */
  async userOf(key: string, request: FastifyRequest, reply: FastifyReply): Promise<string> {
    const { db, clock, later, entitlementsOf } = this.#deps
    const now = clock()
    const row = await findKey(db, key)
    if (!row || (row.ends_at !== null && row.ends_at <= now.getTime())) {
      // RFC 6750 §3
      reply.header('www-authenticate', 'Bearer error="invalid_token"')
      throw new AppError('key_invalid')
    }
    if (!isInside(request)) this.#countCall(row, reply)
    if (row.paused_at !== null) throw new AppError('key_paused')
    const wanted = request.routeOptions.config.key
    if (!wanted) throw new AppError('key_not_here')
    if (!(await entitlementsOf(db, row.user_id)).hasApi) throw new AppError('api_not_in_plan')
    const scope = row.scope as KeyScope
    if (wanted === 'write' && scope !== 'write') throw new AppError('key_read_only')
    later.run(() => noteKeyUse(db, row, now))
    request.apiKey = { id: row.id, name: row.name, scope }
    return row.user_id
  }

  /** Says with each answer how many calls are left: draft-ietf-httpapi-ratelimit-headers-10. */
  #countCall({ id }: KeyRow, reply: FastifyReply) {
    const { max, windowMs } = memoryLimits['key-calls']
    const { left, resetMs, isOver } = this.#count(id)
    const seconds = Math.ceil(resetMs / 1000)
    reply.header('ratelimit-policy', `"calls";q=${max};w=${windowMs / 1000}`)
    reply.header('ratelimit', `"calls";r=${left};t=${seconds}`)
    if (isOver) throw tryAgainIn(seconds, 'rate_limited')
  }
}
