import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import {
  accountChange,
  accountSettings,
  historyEntry,
  passwordChange,
} from '#contract/account-settings.ts'
import { securityEvents } from '#contract/audit.ts'
import { z } from '#contract/zod.ts'
import { sessionOf } from '../../actor.ts'
import { listEvents } from '../../audit.ts'
import type { PersonId } from '../../database/ids.ts'
import { AppError } from '../../http/errors.ts'
import type { AccountDeps } from '../account-deps.ts'
import { changeAccount } from '../account-events.ts'
import { passwordChangedLetter } from '../letters.ts'
import { dropChange } from '../mailed-links/email-change-store.ts'
import { endLinks } from '../mailed-links/mailed-links.ts'
import { refuseWeakPassword } from '../passwords/password-rules.ts'
import { readCookie } from '../sessions/cookies.ts'
import { endSessions, hasSession } from '../sessions/sessions-store.ts'
import { forgetOtherDevices } from '../sign-in/sign-ins-store.ts'
import { ownAccount, passwordHashOf, savePassword } from '../users-store.ts'
import { changeSettings, findSettings, presentEvent, presentSettings } from './settings-store.ts'

/** Lines of the history that the settings show. */
const HISTORY_MAX = 100

/** The account's own settings, its password and its history. */
export async function settingsRoutes(plain: FastifyInstance, deps: AccountDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { db, clock, config, hashing } = deps
  app.addHook('onRequest', deps.requireUser)

  async function settingsOf(userId: PersonId) {
    const row = await findSettings(db, userId)
    if (!row) throw new AppError('unauthorized')
    return presentSettings(row, config, clock())
  }

  app.get('/api/account', { schema: { response: { 200: accountSettings } } }, ({ actor }) =>
    settingsOf(actor.personId),
  )

  app.patch(
    '/api/account',
    { schema: { body: accountChange, response: { 200: accountSettings } } },
    async (request) => {
      const { actor, body } = request
      await changeAccount(deps, actor, async ({ tx, account }) => {
        const changed = await changeSettings(tx, account, body)
        if (body.timeZone) await deps.onZoneChanged(tx, actor.workspaceId, body.timeZone)
        for (const event of changed) await deps.record(tx, actor, event)
      })
      return settingsOf(actor.personId)
    },
  )

  app.post(
    '/api/account/password',
    { schema: { body: passwordChange } },
    async (request, reply) => {
      if (!config.passwordLogin) throw new AppError('not_found')
      const { personId: userId } = request.actor
      const session = sessionOf(request)
      const { current, password } = request.body
      if (!session) throw new AppError('unauthorized')
      await refuseWeakPassword(password, await ownAccount(db, userId))
      await deps.demandOwner(request, current)
      await changePassword(request, session.id, await hashing.hash(request, password))
      return reply.code(204).send()
    },
  )

  app.get(
    '/api/account/history',
    { schema: { response: { 200: z.array(historyEntry) } } },
    async ({ actor }) => {
      const rows = await listEvents(db, actor.personId, securityEvents, HISTORY_MAX)
      return rows.flatMap(presentEvent)
    },
  )

  /**
   * Gives an account a new password. This session and this browser stay. All others end with the old
   * password, and so do the mailed links and a change of the address.
   * @throws AppError unauthorized if the session has ended since
   */
  function changePassword(request: FastifyRequest, sessionId: string, hash: string): Promise<void> {
    const { personId: userId } = request.actor
    return changeAccount(deps, request.actor, async ({ tx, report }) => {
      // The owner may have signed this browser out while the password was hashed.
      if (!(await hasSession(tx, userId, sessionId))) throw new AppError('unauthorized')
      const isFirst = (await passwordHashOf(tx, userId)) === null
      await savePassword(tx, userId, hash, clock())
      await endSessions(tx, userId, sessionId)
      await endLinks(tx, userId)
      await dropChange(tx, userId)
      await forgetOtherDevices(tx, userId, readCookie(request, deps, 'device'))
      await report('password-changed', (context) => passwordChangedLetter(context, { isFirst }))
    })
  }
}
