import { stateParams, statesPart, statesQuery } from '#contract/codes/code-history.ts'
import { qrCode } from '#contract/codes/codes.ts'
import { idParams } from '#contract/zod.ts'
import { transactAs } from '../actor.ts'
import { AppError } from '../http/errors.ts'
import { changeRow } from './change-code.ts'
import { findState, listStates } from './code-states-store.ts'
import { ownCode } from './codes-store.ts'
import type { Api, CodeRoutesDeps } from './types.ts'

/** The states that a code has had, and the way back to each. */
export function codeHistoryRoutes(app: Api, deps: CodeRoutesDeps) {
  app.get(
    '/api/qr-codes/:id/history',
    { schema: { params: idParams, querystring: statesQuery, response: { 200: statesPart } } },
    async ({ actor, params, query }) => {
      const { id } = await ownCode(deps.db, actor.workspaceId, params.id)
      return listStates(deps.db, { codeId: id, personId: actor.personId }, query)
    },
  )

  app.post(
    '/api/qr-codes/:id/history/:stateId/restore',
    { schema: { params: stateParams, response: { 200: qrCode } } },
    ({ actor, params }) =>
      transactAs(deps.db, actor, async (tx) => {
        const row = await ownCode(tx, actor.workspaceId, params.id)
        const state = await findState(tx, row.id, params.stateId)
        if (!state) throw new AppError('not_found')
        return changeRow(deps, tx, actor, row, state)
      }),
  )
}
