import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { sessionEntry } from '#contract/account-settings.ts'
import type { AuditEvent } from '#contract/audit.ts'
import { z } from '#contract/zod.ts'
import { recordEvent } from '../../audit/audit-store.ts'
import type { Clock } from '../../clock.ts'
import type { Db, Tx } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import type { Auth } from '../auth.ts'
import { originOf } from '../origin.ts'
import { presentSession } from '../settings/settings-presenter.ts'
import { forgetOtherDevices } from '../sign-in/known-devices-store.ts'
import { type CookieSettings, readCookie, setCookie } from './cookies.ts'
import { listSessions } from './sessions.ts'
import { endOtherSessions, endSessionById } from './sessions-store.ts'

export type SessionsRoutesDeps = {
  auth: Auth
  db: Db
  clock: Clock
  cookies: CookieSettings
  requireUser: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
}

/** Other texts are the id of no session. */
const SESSION_ID = /^\w{1,64}$/

/** Where the account is signed in: seen and ended. */
export async function sessionsRoutes(plain: FastifyInstance, deps: SessionsRoutesDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { auth, db, clock, cookies } = deps
  app.addHook('onRequest', deps.requireUser)

  async function tell(tx: Tx, request: FastifyRequest, event: AuditEvent, subject?: string) {
    const entry = { userId: request.userId, actor: 'user', origin: originOf(request) } as const
    await recordEvent(tx, { ...entry, event, ...(subject && { subject }) }, clock())
  }

  app.get(
    '/api/account/sessions',
    { schema: { response: { 200: z.array(sessionEntry) } } },
    async ({ userId, session }) => {
      const entries = (await listSessions(auth, userId)).map((row) =>
        presentSession(row, session?.id),
      )
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
      const { id } = request.params
      await transact(db, async (tx) => {
        const isEnded = SESSION_ID.test(id) && (await endSessionById(tx, request.userId, id))
        if (!isEnded) throw new AppError('not_found')
        await tell(tx, request, 'session-ended', id)
      })
      if (id === request.session?.id) {
        setCookie(reply, cookies, { name: 'session', value: '', seconds: 0 })
      }
      return reply.code(204).send()
    },
  )

  /** 'Sign out everywhere': this browser stays signed in, and is the only one that is known. */
  app.delete('/api/account/sessions', async (request, reply) => {
    const { userId, session } = request
    await transact(db, async (tx) => {
      await endOtherSessions(tx, userId, session?.token ?? '')
      await forgetOtherDevices(tx, userId, readCookie(request, cookies, 'device'))
      await tell(tx, request, 'signed-out-everywhere')
    })
    return reply.code(204).send()
  })
}
