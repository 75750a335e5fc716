import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KeyScope } from '#contract/integrations/api-keys.ts'
import { type Actor, programOf } from '../../actor.ts'
import type { EntitlementsOf } from '../../billing/types.ts'
import { AppError, tryAgainIn } from '../../http/errors.ts'
import { memoryLimits } from '../../http/limits/limits.ts'
import { counter } from '../../http/limits/memory-counts.ts'
import type { RoomDeps } from '../../room.ts'
import type { BackgroundTasks } from '../background-tasks.ts'
import { resourceOf } from './apps-store.ts'
import { findProgram, noteUse } from './programs-store.ts'

const OF_APP =
  'This is the token of a connected app, which works at /api/mcp only. Use an API key for this call.'

type Deps = Pick<RoomDeps, 'db' | 'clock' | 'publicUrl'> & {
  later: BackgroundTasks
  entitlementsOf: EntitlementsOf
}

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

/** The workspace whose program makes a call, and the proof */
export type CallerOf = (
  token: string,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<Pick<Actor, 'workspaceId' | 'proof'>>

/**
 * The calls of programs with keys, and of connected apps, on routes that take them. Their row is read for each
 * call, so that a revoked one opens nothing in any process, and a change of the plan counts at once. A call throws
 * AppError key_invalid, rate_limited, key_paused, key_not_here, api_not_in_plan, key_read_only.
 */
export function programCalls({ db, clock, publicUrl, later, entitlementsOf }: Deps): CallerOf {
  const count = counter(memoryLimits['key-calls'])

  /** Says with each answer how many calls are left: draft-ietf-httpapi-ratelimit-headers-10. */
  function countCall(id: string, reply: FastifyReply) {
    const { max, windowMs } = memoryLimits['key-calls']
    const { left, resetMs, isOver } = count(id)
    const seconds = Math.ceil(resetMs / 1000)
    reply.header('ratelimit-policy', `"calls";q=${max};w=${windowMs / 1000}`)
    reply.header('ratelimit', `"calls";r=${left};t=${seconds}`)
    if (isOver) throw tryAgainIn(seconds, 'rate_limited')
  }

  return async (token, request, reply) => {
    const now = clock()
    const row = await findProgram(db, token, { resource: resourceOf(publicUrl), now })
    if (!row || (row.ends_at !== null && row.ends_at <= now.getTime())) {
      throw new AppError('key_invalid')
    }
    const { kind, id, workspace_id: workspaceId, name, scope } = row
    if (kind === 'app' && !request.routeOptions.config.takesApps)
      throw new AppError('key_invalid', OF_APP)
    countCall(id, reply)
    if (row.paused_at !== null) throw new AppError('key_paused')
    wantedScope(request)
    if (!(await entitlementsOf(db, workspaceId)).hasApi) throw new AppError('api_not_in_plan')
    const proof = { kind, id, name, scope }
    demandScope(request, { proof })
    later.run(() => noteUse(db, row, now))
    return { workspaceId, proof }
  }
}
