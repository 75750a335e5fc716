import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { codeChange, codeListQuery } from '#contract/codes.ts'
import { codeIdOf } from '../http/code-id.ts'
import { AppError } from '../http/errors.ts'
import { findCode, listCodes, listDeleted } from './codes-store.ts'
import { changeCode, deleteCode, type LifecycleDeps, makeDraft, restoreCode } from './lifecycle.ts'
import { sendList } from './long-list.ts'
import { type PicturesDeps, pictureRoutes } from './picture-routes.ts'
import { presentBinned, presentCode } from './presenter.ts'

export type CodesDeps = LifecycleDeps & PicturesDeps & { requireUser: onRequestHookHandler }

export async function codeRoutes(plain: FastifyInstance, deps: CodesDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  app.addHook('onRequest', deps.requireUser)

  app.get('/api/qr-codes', { schema: { querystring: codeListQuery } }, async (request, reply) => {
    const now = deps.clock()
    const { rows, total } = await listCodes(deps.db, request.userId, request.query, now)
    reply.header('x-total-count', total)
    return sendList(reply, rows, (row) => presentCode(row, deps.publicUrl))
  })

  app.post('/api/qr-codes/draft', async (request, reply) => {
    const draft = await makeDraft(deps, request.userId)
    return reply.code(201).send(draft)
  })

  app.get('/api/qr-codes/bin', async (request, reply) => {
    const rows = await listDeleted(deps.db, request.userId)
    return sendList(reply, rows, (row) => presentBinned(row, deps.publicUrl))
  })

  app.get('/api/qr-codes/:id', async (request) => {
    const row = await findCode(deps.db, request.userId, codeIdOf(request))
    if (!row) throw new AppError('code_not_found')
    return presentCode(row, deps.publicUrl)
  })

  app.patch('/api/qr-codes/:id', { schema: { body: codeChange } }, (request) =>
    changeCode(deps, request.userId, codeIdOf(request), request.body),
  )

  app.delete('/api/qr-codes/:id', async (request, reply) => {
    await deleteCode(deps, request.userId, codeIdOf(request))
    return reply.code(204).send()
  })

  app.post('/api/qr-codes/:id/restore', (request) =>
    restoreCode(deps, request.userId, codeIdOf(request)),
  )

  pictureRoutes(app, deps)
}
