import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KeyScope } from '#contract/integrations/api-keys.ts'
import { type Actor, programOf } from '../../actor.ts'
import type { EntitlementsOf } from '../../billing/types.ts'
import { AppError, tryAgainIn } from '../../http/errors.ts'
import { memoryLimits } from '../../http/limits/limits.ts'
import { counter } from '../../http/limits/memory-counts.ts'
import type { RoomDeps } from '../../room.ts'
import type { BackgroundTasks } from '../background-tasks.ts'
import { findApp, resourceOf } from '../connected-apps/apps-store.ts'
import { findKey, type KeyRow, noteUse } from './keys-store.ts'

const OF_APP =
  'This is the token of a connected app, which works at /api/mcp only. Use an API key for this call.'

type Deps = Pick<RoomDeps, 'db' | 'clock' | 'publicUrl'> & {
  later: BackgroundTasks
  entitlementsOf: EntitlementsOf
}

/** The key that a request has, as `Authorization: Bearer …` (RFC 6750 §2.1); undefined without one. */
export function bearerOf({ headers }: FastifyRequest): string | undefined {
  const [scheme, ...rest] = headers.authorization?.split(' ') ?? []
  return scheme?.toLowerCase() === 'bearer' ? rest.join(' ').trim() : undefined
}

/** A key or a connected app, as it is checked. */
type Program = Omit<KeyRow, 'hash' | 'start' | 'made_at'> & { isApp: boolean }

/** The scope that a route asks for. @throws AppError key_not_here */
function wantedScope({ routeOptions }: FastifyRequest): KeyScope {
  if (!routeOptions.config.key) throw new AppError('key_not_here')
  return routeOptions.config.key
}

/** @throws AppError key_not_here, key_read_only */
export function demandScope(request: FastifyRequest, actor: Pick<Actor, 'proof'>) {
  const isRead = programOf({ actor })?.scope === 'read'
  if (wantedScope(request) === 'write' && isRead) throw new AppError('key_read_only')
}

/**
 * The calls of programs with keys, and of connected apps. Their row is read for each call, so that a revoked
 * one opens nothing in any process, and a change of the plan counts at once.
 */
export class KeyCalls {
  readonly #deps: Deps
  readonly #count = counter(memoryLimits['key-calls'])

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * The workspace whose key or token this is, and the proof, for a route that takes it.
   * @throws AppError key_invalid, rate_limited, key_paused, key_not_here, api_not_in_plan, key_read_only
   */
  async callerOf(key: string, request: FastifyRequest, reply: FastifyReply) {
    const { db, clock, later, entitlementsOf } = this.#deps
    const now = clock()
    const row = await this.#program(key, request, now)
    if (!row || (row.ends_at !== null && row.ends_at <= now.getTime())) {
      throw new AppError('key_invalid')
    }
    this.#countCall(row, reply)
    if (row.paused_at !== null) throw new AppError('key_paused')
    wantedScope(request)
    if (!(await entitlementsOf(db, row.workspace_id)).hasApi) throw new AppError('api_not_in_plan')
    const kind = row.isApp ? ('app' as const) : ('key' as const)
    const proof = { kind, id: row.id, name: row.name, scope: row.scope as KeyScope }
    demandScope(request, { proof })
    later.run(() => noteUse(db, row.isApp ? 'connected_apps' : 'api_keys', row, now))
    return { workspaceId: row.workspace_id, proof }
  }

  async #program(key: string, request: FastifyRequest, now: Date): Promise<Program | undefined> {
    const { db, publicUrl } = this.#deps
    const row = await findKey(db, key)
    if (row) return { ...row, isApp: false }
    const app = await findApp(db, { token: key, resource: resourceOf(publicUrl) }, now)
    if (app && !request.routeOptions.config.takesApps) throw new AppError('key_invalid', OF_APP)
    return app && { ...app, ends_at: null, paused_at: null, isApp: true }
  }

  /** Says with each answer how many calls are left: draft-ietf-httpapi-ratelimit-headers-10. */
  #countCall({ id }: Program, reply: FastifyReply) {
    const { max, windowMs } = memoryLimits['key-calls']
    const { left, resetMs, isOver } = this.#count(id)
    const seconds = Math.ceil(resetMs / 1000)
    reply.header('ratelimit-policy', `"calls";q=${max};w=${windowMs / 1000}`)
    reply.header('ratelimit', `"calls";r=${left};t=${seconds}`)
    if (isOver) throw tryAgainIn(seconds, 'rate_limited')
  }
}
