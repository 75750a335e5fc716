import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import {
  accountChange,
  accountSettings,
  historyEntry,
  passwordChange,
} from '#contract/account-settings.ts'
import { securityEvents } from '#contract/audit.ts'
import { z } from '#contract/zod.ts'
import { listEvents, recordEvent } from '../../audit.ts'
import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import type { Db, Tx } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import type { Mailer } from '../../mail/mail-room.ts'
import { originOf } from '../origin.ts'
import type { Hashing } from '../passwords/hashing.ts'
import { refuseWeakPassword } from '../passwords/password-rules.ts'
import { type CookieSettings, readCookie } from '../sessions/cookies.ts'
import { findAccount } from '../users-store.ts'
import { changePassword } from './change-password.ts'
import type { DemandOwner } from './proof-of-owner.ts'
import { changeSettings, findSettings, presentEvent, presentSettings } from './settings-store.ts'

export type SettingsRoutesDeps = {
  db: Db
  clock: Clock
  config: Config
  cookies: CookieSettings
  hashing: Hashing
  mailer: Mailer
  requireUser: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
  demandOwner: DemandOwner
  /** Tells that an account's clocks show another time from now on. */
  onZoneChanged: (tx: Tx, userId: string, timeZone: string) => Promise<void>
}

/** Lines of the history that the settings show. */
const HISTORY_MAX = 100

/** The account's own settings, its password, and what happened to it. */
export async function settingsRoutes(plain: FastifyInstance, deps: SettingsRoutesDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { db, clock, config, hashing } = deps
  app.addHook('onRequest', deps.requireUser)

  async function settingsOf(userId: string) {
    const row = await findSettings(db, userId)
    if (!row) throw new AppError('unauthorized')
    return presentSettings(row, config, clock())
  }

  app.get('/api/account', { schema: { response: { 200: accountSettings } } }, ({ userId }) =>
    settingsOf(userId),
  )

  app.patch(
    '/api/account',
    { schema: { body: accountChange, response: { 200: accountSettings } } },
    async (request) => {
      const { userId, body } = request
      await transact(db, async (tx) => {
        const changed = await changeSettings(tx, userId, body)
        if (body.timeZone) await deps.onZoneChanged(tx, userId, body.timeZone)
        const entry = { userId, actor: 'user', origin: originOf(request) } as const
        if (changed?.hasNewName) await recordEvent(tx, { ...entry, event: 'name-changed' }, clock())
        if (changed?.hasNewNotices) {
          await recordEvent(tx, { ...entry, event: 'notices-changed' }, clock())
        }
      })
      return settingsOf(userId)
    },
  )

  app.post(
    '/api/account/password',
    { schema: { body: passwordChange } },
    async (request, reply) => {
      if (!config.passwordLogin) throw new AppError('not_found')
      const { current, password } = request.body
      const account = await findAccount(db, { id: request.userId })
      if (!account || !request.session) throw new AppError('unauthorized')
      await refuseWeakPassword(password, account)
      await deps.demandOwner(request, current)
      const hash = await hashing.hash(request, password)
      await changePassword(deps, account, hash, {
        session: request.session,
        device: readCookie(request, deps.cookies, 'device'),
        origin: originOf(request),
      })
      return reply.code(204).send()
    },
  )

  app.get(
    '/api/account/history',
    { schema: { response: { 200: z.array(historyEntry) } } },
    async ({ userId }) => {
      const rows = await listEvents(db, userId, securityEvents, HISTORY_MAX)
      return rows.flatMap(presentEvent)
    },
  )
}
