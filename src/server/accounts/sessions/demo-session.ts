import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DAY_MS } from '#contract/time.ts'
import type { PersonId, WorkspaceId } from '../../database/ids.ts'
import { AppError } from '../../http/errors.ts'
import { memoryLimits } from '../../http/limits/limits.ts'
import { rateLimit } from '../../http/limits/memory-counts.ts'
import { plainPage, sendPlainPage } from '../../http/plain-page.ts'
import { clientAddress } from '../../http/policy/client-address.ts'
import { ownWorkspaceOf } from '../../memberships.ts'
import type { RoomDeps } from '../../room.ts'
import { findAccount } from '../users-store.ts'
import { readCookie, setCookie } from './cookies.ts'
import type { Sessions } from './sessions.ts'

const COOKIE = 'demo'
const READS = new Set(['GET', 'HEAD'])

export type DemoAccount = {
  email: string
  hasCodes: (workspaceId: WorkspaceId) => Promise<boolean>
}

type Deps = Pick<RoomDeps, 'db' | 'clock' | 'publicUrl' | 'secret'>

export type DemoSession = ReturnType<typeof demoSession>

/**
 * The browsers that look at the live demo. They have a signed cookie and no row, so any number of them
 * can look and none leaves a trace. A session of an own account comes first.
 */
export function demoSession(deps: Deps, { email, hasCodes }: DemoAccount) {
  const { db, clock } = deps
  let found: PersonId | undefined

  /** The demo's account, once it and its codes are made. */
  async function userId(): Promise<PersonId | undefined> {
    if (found) return found
    const account = await findAccount(db, { email })
    if (account && (await hasCodes(await ownWorkspaceOf(db, account.id)))) found = account.id
    return found
  }

  /** The demo's account, for a browser that looks at it. */
  async function of(request: FastifyRequest): Promise<PersonId | undefined> {
    const until = Number(readCookie(request, deps, COOKIE) ?? 0)
    return until > clock().getTime() ? userId() : undefined
  }

  return {
    userId,
    of,
    /** Whether this is the demo's account, which the browser that asks has been given. */
    isDemo: (id: PersonId) => id === found,
    begin: (reply: FastifyReply) => {
      const value = String(clock().getTime() + DAY_MS)
      setCookie(reply, deps, { name: COOKIE, value, seconds: DAY_MS / 1000 })
    },
    /** As `of`, for a call. @throws AppError demo_read_only unless it only reads */
    reading: async (request: FastifyRequest): Promise<PersonId | undefined> => {
      const shown = await of(request)
      if (shown !== undefined && !READS.has(request.method)) throw new AppError('demo_read_only')
      return shown
    },
    /** Ends the demo in this browser, as signing out does. */
    end: (request: FastifyRequest, reply: FastifyReply) => {
      if (readCookie(request, deps, COOKIE) === undefined) return
      setCookie(reply, deps, { name: COOKIE, value: '', seconds: 0 })
    },
  }
}

const notYet = plainPage(
  'The demo is being set up',
  '<p>It’ll be ready in a moment. Please go back and try again.</p>',
)

/** Opens the live demo: a form of the landing page posts to it. A user who is signed in stays so. */
export async function demoRoutes(
  app: FastifyInstance,
  deps: { sessions: Sessions; demo: DemoSession },
) {
  const { sessions, demo } = deps
  const asForm = { parseAs: 'string', bodyLimit: 1024 } as const
  // The form has no fields, and browsers name its type all the same.
  app.addContentTypeParser('application/x-www-form-urlencoded', asForm, (_request, _body, done) =>
    done(null, undefined),
  )
  const countVisit = rateLimit(memoryLimits.visits, clientAddress)
  app.post('/api/demo', { onRequest: countVisit }, async (request, reply) => {
    if ((await demo.userId()) === undefined) return sendPlainPage(reply, 503, notYet)
    if (!(await sessions.current(request, reply))) demo.begin(reply)
    return reply.header('cache-control', 'no-store').redirect('/', 303)
  })
}
