import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { type SessionEntry, sessionEntry } from '#contract/account-settings.ts'
import { z } from '#contract/zod.ts'
import { recordEvent } from '../../audit.ts'
import { type Clock, systemClock } from '../../clock.ts'
import type { Db } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import { deviceOf, originOf, shortened } from '../origin.ts'
import { forgetOtherDevices } from '../sign-in/sign-ins-store.ts'
import { type CookieSettings, readCookie } from './cookies.ts'
import type { Sessions } from './sessions.ts'
import { endSessionById, endSessions, listSessions, type Session } from './sessions-store.ts'

export type SessionsRoutesDeps = {
  sessions: Sessions
  db: Db
  clock: Clock
  cookies: CookieSettings
  requireUser: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
}

/** Where the account is signed in: seen and ended. */
export async function sessionsRoutes(plain: FastifyInstance, deps: SessionsRoutesDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { sessions, db, clock, cookies } = deps
  app.addHook('onRequest', deps.requireUser)

  app.get(
    '/api/account/sessions',
    { schema: { response: { 200: z.array(sessionEntry) } } },
    async ({ userId, session }) => {
      const all = await listSessions(db, userId)
      const entries = all.map((each) => presentSession(each, session?.id))
      // This one first, then those that were seen last.
      return entries.sort(
        (a, b) =>
          Number(b.isCurrent) - Number(a.isCurrent) || b.lastSeenAt.localeCompare(a.lastSeenAt),
      )
    },
  )

  app.delete(
    '/api/account/sessions/:id',
    { schema: { params: z.object({ id: z.string() }) } },
    async (request, reply) => {
      const { userId, session, params } = request
      const { id } = params
      const origin = originOf(request)
      await transact(db, async (tx) => {
        if (!(await endSessionById(tx, userId, id))) throw new AppError('not_found')
        const entry = { userId, actor: 'user', event: 'session-ended', subject: id } as const
        await recordEvent(tx, { ...entry, origin }, clock())
      })
      if (id === session?.id) sessions.take(reply)
      return reply.code(204).send()
    },
  )

  /** 'Sign out everywhere': this browser stays signed in, and is the only one that is known. */
  app.delete('/api/account/sessions', async (request, reply) => {
    const { userId, session } = request
    await transact(db, async (tx) => {
      await endSessions(tx, userId, session?.id)
      await forgetOtherDevices(tx, userId, readCookie(request, cookies, 'device'))
      const origin = originOf(request)
      const entry = { userId, actor: 'user', event: 'signed-out-everywhere', origin } as const
      await recordEvent(tx, entry, clock())
    })
    return reply.code(204).send()
  })
}

/** `id` is not the secret that the session's cookie carries. */
function presentSession(session: Session, currentId: string | undefined): SessionEntry {
  const { id, agent, address, signedInAt, lastUsedAt } = session
  const isCurrent = id === currentId
  return {
    id,
    isCurrent,
    device: deviceOf(agent ?? ''),
    address: shortened(address ?? ''),
    signedInAt: signedInAt.toISOString(),
    lastSeenAt: (isCurrent ? systemClock() : lastUsedAt).toISOString(),
  }
}
