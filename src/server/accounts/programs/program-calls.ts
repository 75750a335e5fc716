import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KeyScope } from '#contract/integrations/api-keys.ts'
import { MINUTE_MS } from '#contract/time.ts'
import { type Actor, PROOF_TABLES, programOf } from '../../actor.ts'
import type { EntitlementsOf } from '../../billing/types.ts'
import type { PersonId, WorkspaceId } from '../../database/ids.ts'
import { rowsWhere } from '../../database/rows.ts'
import type { Db } from '../../database/schema.ts'
import { AppError, tryAgainIn } from '../../http/errors.ts'
import { memoryLimits } from '../../http/limits/limits.ts'
import { counter } from '../../http/limits/memory-counts.ts'
import type { RoomDeps } from '../../room.ts'
import type { BackgroundTasks } from '../background-tasks.ts'
import { hashOfToken } from '../sessions/sessions-store.ts'
import { recordId, resourceOf, TOKEN } from './apps-store.ts'
import { KEY } from './keys-store.ts'

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

/**
 * The calls of programs with keys, and of connected apps, on routes that take them. Their row is read for each
 * call, so that a revoked one opens nothing in any process, and a change of the plan counts at once. A call returns
 * the person, the workspace and the proof, or throws AppError key_invalid, rate_limited, key_paused, key_not_here, api_not_in_plan, key_read_only.
 */
export function programCalls({ db, clock, publicUrl, later, entitlementsOf }: Deps) {
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

  return async (token: string, request: FastifyRequest, reply: FastifyReply) => {
    const now = clock()
    const row = await findProgram(db, token, { resource: resourceOf(publicUrl), now })
    if (!row || (row.ends_at !== null && row.ends_at <= now.getTime())) {
      throw new AppError('key_invalid')
    }
    const { kind, id, workspace_id: workspaceId, made_by: personId, name, scope } = row
    if (!personId) throw new AppError('key_invalid')
    if (kind === 'app' && !request.routeOptions.config.takesApps)
      throw new AppError('key_invalid', OF_APP)
    countCall(id, reply)
    if (row.paused_at !== null) throw new AppError('key_paused')
    wantedScope(request)
    if (!(await entitlementsOf(db, workspaceId)).hasApi) throw new AppError('api_not_in_plan')
    const proof = { kind, id, name, scope }
    demandScope(request, { proof })
    later.run(() => noteUse(db, row, now))
    return { personId, workspaceId, proof }
  }
}

/** A key or a connected app, as each of its calls reads it. */
type Program = {
  kind: 'key' | 'app'
  id: string
  workspace_id: WorkspaceId
  made_by: PersonId | null
  name: string
  scope: KeyScope
  /** Null for what has no end of its own */
  ends_at: number | null
  used_at: number | null
  paused_at: number | null
}

/**
 * The program that sends a token, of any account. A key may have ended. An app is found by a token that was issued
 * for this resource and has not ended. A token may have less scope than its app (RFC 6749 §6).
 */
async function findProgram(
  db: Db,
  token: string,
  { resource, now }: { resource: string; now: Date },
): Promise<Program | undefined> {
  if (KEY.test(token)) {
    const key = await rowsWhere(db, 'api_keys', { hash: hashOfToken(token) }).executeTakeFirst()
    return key && { ...key, kind: 'key', scope: key.scope as KeyScope }
  }
  if (!TOKEN.test(token)) return undefined
  const app = await db
    .selectFrom('oauth_records')
    .innerJoin('connected_apps as app', 'app.id', 'oauth_records.app_id')
    .select(['app.id', 'app.workspace_id', 'app.made_by', 'app.name', 'app.scope', 'app.used_at'])
    .select('oauth_records.scope as given')
    .where('oauth_records.kind', '=', 'AccessToken')
    .where('oauth_records.id', '=', recordId('AccessToken', token))
    .where('oauth_records.resource', '=', resource)
    .where('oauth_records.ends_at', '>', now.getTime())
    .executeTakeFirst()
  if (!app) return undefined
  const { given, ...row } = app
  const scope = given?.split(' ').includes('write') ? (row.scope as KeyScope) : 'read'
  return { ...row, kind: 'app', scope, ends_at: null, paused_at: null }
}

/** How often `used_at` is written at most */
const USED_EVERY_MS = MINUTE_MS

/** Notes that a program was used, at most once a minute, also after the clock was set back. */
async function noteUse(db: Db, { kind, id, used_at }: Program, now: Date): Promise<void> {
  const at = now.getTime()
  if (used_at !== null && Math.abs(at - used_at) < USED_EVERY_MS) return
  await db.updateTable(PROOF_TABLES[kind]).set({ used_at: at }).where('id', '=', id).execute()
}
