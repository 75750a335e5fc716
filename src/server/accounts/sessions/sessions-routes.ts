import { type SessionEntry, sessionEntry } from '#contract/accounts/account-settings.ts'
import { idParams, z } from '#contract/zod.ts'
import { sessionOf, transactAs } from '../../actor.ts'
import { systemClock } from '../../clock.ts'
import { AppError } from '../../http/errors.ts'
import type { Api } from '../../room.ts'
import type { AccountDeps } from '../account-deps.ts'
import { deviceOf, shortened } from '../origin.ts'
import {
  endSessionById,
  endSessions,
  forgetOtherDevices,
  listSessions,
  type Session,
} from './sessions-store.ts'

/** Lists the account's sessions and ends them. */
export async function sessionsRoutes(app: Api, deps: AccountDeps) {
  const { sessions, db } = deps
  app.addHook('onRequest', deps.requireUser)

  const all = { schema: { response: { 200: z.array(sessionEntry) } } }
  app.get('/api/account/sessions', all, async (request) => {
    const all = await listSessions(db, request.actor.personId)
    const entries = all.map((each) => presentSession(each, sessionOf(request)?.id))
    // The current one first, then the most recently used.
    return entries.sort(
      (a, b) =>
        Number(b.isCurrent) - Number(a.isCurrent) || b.lastSeenAt.localeCompare(a.lastSeenAt),
    )
  })

  const one = { schema: { params: idParams } }
  app.delete('/api/account/sessions/:id', one, async (request, reply) => {
    const { personId: userId } = request.actor
    const { id } = request.params
    await transactAs(db, request.actor, async (tx) => {
      if (!(await endSessionById(tx, userId, id))) throw new AppError('not_found')
      await deps.record(tx, request.actor, 'session-ended', id)
    })
    if (id === sessionOf(request)?.id) sessions.take(reply)
    return reply.code(204).send()
  })

  /** 'Sign out everywhere': this browser stays signed in, and is the only one that is known. */
  app.delete('/api/account/sessions', async (request, reply) => {
    const { personId: userId } = request.actor
    const session = sessionOf(request)
    await transactAs(db, request.actor, async (tx) => {
      await endSessions(tx, userId, session?.id)
      await forgetOtherDevices(tx, userId, sessions.deviceOf(request))
      await deps.record(tx, request.actor, 'signed-out-everywhere')
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
