import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { type FigureMails, figureMails, figureMailsChange } from '#contract/analytics/figures.ts'
import { transactAs } from '../../actor.ts'
import type { Recording } from '../../audit.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import { AppError } from '../../http/errors.ts'
import type { FigureMailsDeps } from './figure-mails-job.ts'
import { findFigureMails, saveFigureMails, stopFigureMails } from './figure-mails-store.ts'
import { nextTurn } from './mail-times.ts'

export type FigureMailsRoutesDeps = Pick<FigureMailsDeps, 'db' | 'clock' | 'isPaid'> & {
  requireUser: onRequestHookHandler
  record: Recording<'notices-changed'>
}

/** The account's mails of figures: off, each week, or each month. */
export async function figureMailsRoutes(plain: FastifyInstance, deps: FigureMailsRoutesDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { db, clock, isPaid } = deps
  app.addHook('onRequest', deps.requireUser)

  async function settingOf(workspaceId: WorkspaceId): Promise<FigureMails> {
    const row = await findFigureMails(db, workspaceId)
    if (!row) return { every: 'off', timeZone: null, nextAt: null }
    const { every, time_zone: timeZone } = row
    const next = nextTurn(every, timeZone, clock())
    return {
      every,
      timeZone,
      nextAt: (await isPaid(db, workspaceId)) ? next.toISOString() : null,
    }
  }

  app.get('/api/analytics/mails', { schema: { response: { 200: figureMails } } }, ({ actor }) =>
    settingOf(actor.workspaceId),
  )

  app.put(
    '/api/analytics/mails',
    { schema: { body: figureMailsChange, response: { 200: figureMails } } },
    async ({ actor, body: { every, timeZone } }) => {
      await transactAs(db, actor, async (tx) => {
        if (every === 'off') {
          if (!(await stopFigureMails(tx, actor.workspaceId))) return
        } else {
          if (!(await isPaid(tx, actor.workspaceId))) throw new AppError('figure_mails_not_in_plan')
          await saveFigureMails(tx, { workspaceId: actor.workspaceId, every, timeZone }, clock())
        }
        await deps.record(tx, actor, 'notices-changed', `figures ${every}`)
      })
      return settingOf(actor.workspaceId)
    },
  )
}
