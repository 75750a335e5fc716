import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { cardChoice, clockAdvance, sandboxDone, sandboxPage } from '#contract/sandbox.ts'
import { z } from '#contract/zod.ts'
import type { Actor } from '../../actor.ts'
import { type PersonId, type WorkspaceId, workspaceOf } from '../../database/ids.ts'
import { AppError } from '../../http/errors.ts'
import { memoryLimits } from '../../http/limits/limits.ts'
import { rateLimit } from '../../http/limits/memory-counts.ts'
import { clientAddress } from '../../http/policy/client-address.ts'
import type { Payer } from '../provider.ts'
import {
  advance,
  confirmChange,
  pay,
  replaceCard,
  type SandboxDeps,
  setCancelAtPeriodEnd,
} from './sandbox-actions.ts'
import { invoiceContents, pageContents } from './sandbox-pages.ts'
import { findOpenSession, type SandboxSession } from './sandbox-sessions.ts'
import { findInvoice } from './sandbox-store.ts'

export type SandboxRoutesDeps = {
  sandbox: SandboxDeps
  requireUser: onRequestHookHandler
  /** The id of the signed-in account, if any. */
  userOf: (request: FastifyRequest, reply: FastifyReply) => Promise<PersonId | undefined>
  /** The page's HTML. */
  page: () => string
  payer: (workspaceId: WorkspaceId) => Promise<Payer>
}

const params = z.object({ id: z.string() })

/** The sandbox's pages and their calls: a session is open to its own account only. */
export async function sandboxRoutes(plain: FastifyInstance, deps: SandboxRoutesDeps) {
  const { sandbox } = deps
  const { db, clock } = sandbox

  async function sessionOf(
    { actor, params }: { actor: Actor; params: { id: string } },
    ...kinds: SandboxSession['kind'][]
  ): Promise<SandboxSession> {
    const { workspaceId } = actor
    const session = await findOpenSession(db, { id: params.id, workspaceId, now: clock() })
    if (!session || !kinds.includes(session.kind)) throw new AppError('checkout_not_found')
    return session
  }

  const contentsOf = (session: SandboxSession) => pageContents(sandbox, session)

  const pages = plain.withTypeProvider<ZodTypeProvider>()
  const page = { onRequest: rateLimit(memoryLimits.visits, clientAddress), schema: { params } }
  pages.get('/api/checkout/:id', page, async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
    const userId = await deps.userOf(request, reply)
    const path = `/api/checkout/${encodeURIComponent(request.params.id)}`
    if (!userId) return reply.redirect(`/api/login?returnTo=${encodeURIComponent(path)}`)
    const { id } = request.params
    const workspaceId = workspaceOf(userId)
    const isThere =
      (await findInvoice(db, { id, workspaceId })) ??
      (await findOpenSession(db, { id, workspaceId, now: clock() }))
    // For a session that is not open the page says what to do.
    reply.code(isThere ? 200 : 404).type('text/html; charset=utf-8')
    return reply.send(deps.page())
  })

  await plain.register(async (scope) => {
    const app = scope.withTypeProvider<ZodTypeProvider>()
    app.addHook('onRequest', deps.requireUser)
    const by = ({ actor }: FastifyRequest) => ({ ...sandbox, actor })
    /** Calls that answer what the page now shows, and calls after which the browser leaves it. */
    const onRequest = rateLimit(memoryLimits['payment-calls'], ({ rateLimitKey }) => rateLimitKey)
    const shown = { onRequest, schema: { params, response: { 200: sandboxPage } } }
    const done = { onRequest, schema: { params, response: { 200: sandboxDone } } }

    app.get('/api/checkout/:id/page', shown, async (request) => {
      const { actor, params } = request
      const invoice = await findInvoice(db, { id: params.id, workspaceId: actor.workspaceId })
      if (!invoice) return contentsOf(await sessionOf(request, 'pay', 'change', 'portal'))
      const { name, email } = await deps.payer(actor.workspaceId)
      return invoiceContents(invoice, { name, email, publicUrl: sandbox.publicUrl })
    })

    app.post(
      '/api/checkout/:id/pay',
      { ...done, schema: { ...done.schema, body: cardChoice } },
      async (request) => {
        const session = await sessionOf(request, 'pay')
        await pay(by(request), session, request.body.card)
        return { returnTo: session.done_url }
      },
    )

    app.post('/api/checkout/:id/confirm', done, async (request) => {
      const session = await sessionOf(request, 'change')
      await confirmChange(by(request), session)
      return { returnTo: session.done_url }
    })

    app.post(
      '/api/checkout/:id/card',
      { ...shown, schema: { ...shown.schema, body: cardChoice } },
      async (request) => {
        const session = await sessionOf(request, 'change', 'portal')
        await replaceCard(by(request), session.customer_id, request.body.card)
        return contentsOf(session)
      },
    )

    app.post(
      '/api/checkout/:id/advance',
      { ...shown, schema: { ...shown.schema, body: clockAdvance } },
      async (request) => {
        const session = await sessionOf(request, 'portal')
        await advance(by(request), session.customer_id, request.body.step)
        return contentsOf(session)
      },
    )

    for (const [action, cancel] of [
      ['cancel', true],
      ['resume', false],
    ] as const) {
      app.post(`/api/checkout/:id/${action}`, shown, async (request) => {
        const session = await sessionOf(request, 'portal')
        await setCancelAtPeriodEnd(by(request), session.customer_id, cancel)
        return contentsOf(session)
      })
    }
  })
}
