import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasRight, needsRoom, rightOf } from '#contract/accounts/roles.ts'
import type { Actor } from '../../actor.ts'
import type { EntitlementsOf } from '../../billing/types.ts'
import type { PersonId, WorkspaceId } from '../../database/ids.ts'
import { countWhere } from '../../database/rows.ts'
import type { Db } from '../../database/schema.ts'
import { AppError } from '../../http/errors.ts'
import { memoryLimits } from '../../http/limits/limits.ts'
import { rateLimit } from '../../http/limits/memory-counts.ts'
import { clientAddress, innerCallerOf } from '../../http/policy/client-address.ts'
import { type Membership, membershipIn, objectAt, ownWorkspaceOf } from '../../memberships.ts'
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

type Deps = {
  db: Db
  sessions: Pick<Sessions, 'current'>
  demo: Pick<DemoSession, 'reading'> | undefined
  callerOf: ReturnType<typeof programCalls>
  entitlementsOf: EntitlementsOf
}

type Named = { id?: string; qr?: string; workspace?: unknown }

/** Takes `?workspace=` out of a query: the schemas of routes do not have it. */
function takeWorkspace(request: FastifyRequest): WorkspaceId | undefined {
  const { workspace, ...query } = request.query as Named
  request.query = query
  return workspace === undefined ? undefined : (String(workspace) as WorkspaceId)
}

/** The object that a call names by its path or its query. Bodies are not read yet. */
function objectOf({ routeOptions, params, query }: FastifyRequest) {
  const [path = '', rest] = (routeOptions.url ?? '').split('/:id')
  const { id } = params as Named
  const object = rest === undefined ? undefined : objectAt(path)
  if (object && id !== undefined) return { object, id }
  const { qr } = query as Named
  if (typeof qr !== 'string' || !path.startsWith('/api/analytics/')) return undefined
  // Several codes are of one workspace.
  return { object: 'codes' as const, id: qr.split(',')[0]?.toLowerCase() ?? '' }
}

/** The right that a call asks for. @throws for a route that the table of roles lacks */
function rightFor({ method, routeOptions: { url } }: FastifyRequest) {
  const right = rightOf(`${method === 'HEAD' ? 'GET' : method} ${url}`)
  if (!right) throw new Error(`${method} ${url} is not in the table of roles`)
  return right
}

/**
 * The hook before every route that needs a user: 401 comes before any other answer. It finds out in which workspace
 * the call is and which role the person has there: that of what it names, else that of `?workspace=`, else their own.
 */
export function requireUser(deps: Deps): Hook {
  const { db, sessions, demo, callerOf } = deps
  const countRead = rateLimit(memoryLimits['account-reads'], ({ rateLimitKey }) => rateLimitKey)

  /** @throws AppError workspace_not_found, unauthorized */
  async function placeOf(request: FastifyRequest, personId: PersonId): Promise<Membership> {
    const asked = takeWorkspace(request)
    const isOfPerson = rightFor(request) === 'person'
    const object = isOfPerson ? undefined : objectOf(request)
    const found = object && (await membershipIn(db, personId, object))
    if (found) return found
    if (asked === undefined || isOfPerson) {
      const workspaceId = await ownWorkspaceOf(db, personId)
      return { workspaceId, role: 'owner', lacksSecondStep: false }
    }
    const place = await membershipIn(db, personId, { workspaceId: asked })
    if (!place) throw new AppError('workspace_not_found')
    return place
  }

  /** @throws AppError role_forbids, second_step_needed, people_over_plan */
  async function actAs(
    request: FastifyRequest,
    { personId, proof }: Pick<Actor, 'personId' | 'proof'>,
    membership: Membership,
  ) {
    const right = rightFor(request)
    const { workspaceId, role, lacksSecondStep } = membership
    if (right !== 'person') {
      if (!hasRight(role, right)) throw new AppError('role_forbids')
      const isLeaving = request.routeOptions.url === '/api/workspace/leave'
      if (lacksSecondStep && !isLeaving) throw new AppError('second_step_needed')
      if (role !== 'owner' && needsRoom(right)) {
        // Members of a workspace with more people than its plan has room for look on.
        const { people } = await deps.entitlementsOf(db, workspaceId)
        const members = await countWhere(db, 'members', { workspace_id: workspaceId })
        if (members > people) throw new AppError('people_over_plan')
      }
    }
    request.actor = {
      personId,
      workspaceId,
      role,
      right,
      proof,
      // Few calls write it down.
      get origin() {
        return originOf(request)
      },
    }
  }

  /** A program works in its workspace alone, with no more than its person's role there. @throws AppError workspace_not_found, key_invalid */
  async function actAsProgram(
    request: FastifyRequest,
    by: Pick<Actor, 'personId' | 'workspaceId' | 'proof'>,
  ) {
    const asked = takeWorkspace(request)
    if (asked !== undefined && asked !== by.workspaceId) throw new AppError('workspace_not_found')
    const membership = await membershipIn(db, by.personId, by)
    if (!membership) throw new AppError('key_invalid')
    await actAs(request, by, membership)
    request.rateLimitKey = `key:${by.workspaceId}`
  }

  return async (request, reply) => {
    // No cache may keep an account's data; a route can say otherwise for its own answer.
    reply.header('cache-control', 'no-store')
    const caller = innerCallerOf(request)
    if (caller) {
      demandScope(request, caller)
      return actAsProgram(request, caller)
    }
    const key = bearerOf(request)
    if (key !== undefined) {
      await actAsProgram(request, await callerOf(key, request, reply))
      return countRead(request)
    }
    const session = await sessions.current(request, reply)
    if (session) {
      const personId = session.userId
      const proof = { kind: 'session' as const, ...session }
      await actAs(request, { personId, proof }, await placeOf(request, personId))
      request.rateLimitKey = personId
    } else {
      const shown = await demo?.reading(request)
      if (shown === undefined) {
        throw new AppError('unauthorized')
      }
      if (isOfOther(request, shown)) throw new AppError('other_account')
      await actAs(request, { personId: shown, proof: null }, await placeOf(request, shown))
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
