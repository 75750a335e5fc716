import type { FastifyRequest } from 'fastify'
import {
  accountChange,
  accountSettings,
  historyEntry,
  passwordChange,
} from '#contract/accounts/account-settings.ts'
import { type SecurityEvent, securityEvents } from '#contract/accounts/audit.ts'
import { z } from '#contract/zod.ts'
import { sessionOf } from '../../actor.ts'
import { listEvents } from '../../audit.ts'
import { iso } from '../../dates.ts'
import { AppError } from '../../http/errors.ts'
import { workspacesOwnedBy } from '../../memberships.ts'
import type { Api } from '../../room.ts'
import type { AccountDeps } from '../account-deps.ts'
import { changeAccount } from '../account-events.ts'
import { passwordChangedLetter } from '../letters.ts'
import { demandPasswordLogin, refuseWeakPassword } from '../passwords/password-rules.ts'
import { endLinks } from '../proof/mailed-links.ts'
import { endSessions, forgetOtherDevices, hasSession } from '../sessions/sessions-store.ts'
import { dropChange, ownAccount, passwordHashOf, savePassword } from '../users-store.ts'
import { changeSettings, type SignInMethods, settingsOf } from './settings-store.ts'

/** Lines of the history that the settings show. */
const HISTORY_MAX = 100

/** The account's own settings, its password and its history. */
export async function settingsRoutes(
  app: Api,
  deps: AccountDeps & { signInMethods: SignInMethods },
) {
  const { db, clock, config, hashing } = deps
  app.addHook('onRequest', deps.requireUser)

  async function read({ actor }: FastifyRequest) {
    const { signInMethods } = deps
    const settings = await settingsOf(db, actor.personId, { config, now: clock(), signInMethods })
    if (!settings) throw new AppError('unauthorized')
    return settings
  }

  app.get('/api/account', { schema: { response: { 200: accountSettings } } }, read)

  const changing = { schema: { body: accountChange, response: { 200: accountSettings } } }
  app.patch('/api/account', changing, async (request) => {
    const { actor, body } = request
    await changeAccount(deps, actor, async ({ tx, account }) => {
      const changed = await changeSettings(tx, account, body)
      if (body.timeZone) {
        for (const id of await workspacesOwnedBy(tx, actor.personId)) {
          await deps.onZoneChanged(tx, id, body.timeZone)
        }
      }
      for (const event of changed) await deps.record(tx, actor, event)
    })
    return read(request)
  })

  /** This session and this browser stay. All others end, and so do the mailed links and a change of the address. */
  const newPassword = { schema: { body: passwordChange } }
  app.post('/api/account/password', newPassword, async (request, reply) => {
    demandPasswordLogin(deps)
    const { personId: userId } = request.actor
    const session = sessionOf(request)
    const { current, password } = request.body
    if (!session) throw new AppError('unauthorized')
    await refuseWeakPassword(password, await ownAccount(db, userId))
    await deps.demandOwner(request, current)
    const hash = await hashing.hash(request, password)
    await changeAccount(deps, request.actor, async ({ tx, report }) => {
      // The owner may have signed this browser out while the password was hashed.
      if (!(await hasSession(tx, userId, session.id))) throw new AppError('unauthorized')
      const isFirst = (await passwordHashOf(tx, userId)) === null
      await savePassword(tx, userId, hash, clock())
      await endSessions(tx, userId, session.id)
      await endLinks(tx, userId)
      await dropChange(tx, userId)
      await forgetOtherDevices(tx, userId, deps.sessions.deviceOf(request))
      await report('password-changed', (context) => passwordChangedLetter(context, { isFirst }))
    })
    return reply.code(204).send()
  })

  const history = { schema: { response: { 200: z.array(historyEntry) } } }
  app.get('/api/account/history', history, async ({ actor }) => {
    const rows = await listEvents(db, { user_id: actor.personId }, securityEvents, HISTORY_MAX)
    return rows.map(({ id, at, event, device, address }) => ({
      id,
      at: iso(at),
      event: event as SecurityEvent,
      device,
      address,
    }))
  })
}
