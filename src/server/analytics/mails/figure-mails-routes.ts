import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { type FigureMails, figureMails, figureMailsChange } from '#contract/analytics/figures.ts'
import type { Recording } from '../../audit.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import { findFigureMails, saveFigureMails, stopFigureMails } from './figure-mails-store.ts'
import { nextTurn } from './mail-times.ts'

export type FigureMailsRoutesDeps = {
  db: Db
  clock: Clock
  requireUser: onRequestHookHandler
  /** Whether the account's plan has mails of figures now. */
  isPaid: (db: Db, userId: string) => Promise<boolean>
  recordFor: (request: FastifyRequest) => Recording<'notices-changed'>
}

/** The account's mails of figures: off, each week, or each month. */
export async function figureMailsRoutes(plain: FastifyInstance, deps: FigureMailsRoutesDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { db, clock, isPaid } = deps
  app.addHook('onRequest', deps.requireUser)

  async function settingOf(userId: string): Promise<FigureMails> {
    const row = await findFigureMails(db, userId)
    if (!row) return { every: 'off', timeZone: null, nextAt: null }
    const { every, time_zone: timeZone } = row
    const next = nextTurn(every, timeZone, clock())
    return { every, timeZone, nextAt: (await isPaid(db, userId)) ? next.toISOString() : null }
  }

  app.get('/api/analytics/mails', { schema: { response: { 200: figureMails } } }, ({ userId }) =>
    settingOf(userId),
  )

  app.put(
    '/api/analytics/mails',
    { schema: { body: figureMailsChange, response: { 200: figureMails } } },
    async (request) => {
      const { userId } = request
      const { every, timeZone } = request.body
      await transact(db, async (tx) => {
        if (every === 'off') {
          if (!(await stopFigureMails(tx, userId))) return
        } else {
          if (!(await isPaid(tx, userId))) throw new AppError('figure_mails_not_in_plan')
          await saveFigureMails(tx, { userId, every, timeZone }, clock())
        }
        await deps.recordFor(request)(tx, 'notices-changed', `figures ${every}`)
      })
      return settingOf(userId)
    },
  )
}
