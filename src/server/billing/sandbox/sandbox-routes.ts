import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { cardChoice, clockAdvance, type SandboxDone, type SandboxPage } from '#contract/sandbox.ts'
import { z } from '#contract/zod.ts'
import { AppError } from '../../http/errors.ts'
import type { SandboxDeps } from './customer-turn.ts'
import { pageContents } from './page-contents.ts'
import { pay } from './payments.ts'
import { confirmChange } from './plan-changes.ts'
import { advance, replaceCard, setEnding } from './portal.ts'
import { findSandboxCustomer } from './sandbox-customers.ts'
import { listInvoices } from './sandbox-invoices.ts'
import { findOpenSession, type SandboxSession } from './sandbox-sessions.ts'
import { listSubscriptions } from './sandbox-subscriptions.ts'

export type SandboxRoutesDeps = {
  sandbox: SandboxDeps
  requireUser: onRequestHookHandler
  /** Who is signed in, if anybody. */
  userOf: (request: FastifyRequest, reply: FastifyReply) => Promise<string | undefined>
  /** The page's HTML. */
  page: () => string
}

const params = z.object({ id: z.string() })
const CALLS_A_MINUTE = { rateLimit: { max: 60, timeWindow: '1 minute' } }

/** The sandbox's pages and what they call: for the account alone whose session it is. */
export async function sandboxRoutes(plain: FastifyInstance, deps: SandboxRoutesDeps) {
  const { sandbox } = deps
  const { db, clock } = sandbox

  async function sessionOf(
    { userId, params }: { userId: string; params: { id: string } },
    ...kinds: SandboxSession['kind'][]
  ): Promise<SandboxSession> {
    const session = await findOpenSession(db, { id: params.id, userId, now: clock() })
    if (!session || !kinds.includes(session.kind)) throw new AppError('checkout_not_found')
    return session
  }

  async function contentsOf(session: SandboxSession): Promise<SandboxPage> {
    const id = session.customer_id
    const [customer, subscriptions, invoices] = await Promise.all([
      findSandboxCustomer(db, id),
      listSubscriptions(db, id),
      listInvoices(db, id),
    ])
    if (!customer) throw new AppError('checkout_not_found')
    return pageContents(session, { customer, subscriptions, invoices, serverNow: clock() })
  }

  const pages = plain.withTypeProvider<ZodTypeProvider>()
  const page = { config: CALLS_A_MINUTE, schema: { params } }
  pages.get('/api/checkout/:id', page, async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
    const userId = await deps.userOf(request, reply)
    const path = `/api/checkout/${encodeURIComponent(request.params.id)}`
    if (!userId) return reply.redirect(`/api/login?returnTo=${encodeURIComponent(path)}`)
    const { id } = request.params
    const session = await findOpenSession(db, { id, userId, now: clock() })
    // The page says itself what to do about a payment that is not open.
    reply.code(session ? 200 : 404).type('text/html; charset=utf-8')
    return reply.send(deps.page())
  })

  await plain.register(async (scope) => {
    const app = scope.withTypeProvider<ZodTypeProvider>()
    app.addHook('onRequest', deps.requireUser)

    app.get('/api/checkout/:id/page', page, async (request) =>
      contentsOf(await sessionOf(request, 'pay', 'change', 'portal')),
    )

    app.post(
      '/api/checkout/:id/pay',
      { config: CALLS_A_MINUTE, schema: { params, body: cardChoice } },
      async (request): Promise<SandboxDone> => {
        const session = await sessionOf(request, 'pay')
        await pay(sandbox, session, request.body.card)
        return { returnTo: session.done_url }
      },
    )

    app.post('/api/checkout/:id/confirm', page, async (request): Promise<SandboxDone> => {
      const session = await sessionOf(request, 'change')
      await confirmChange(sandbox, session)
      return { returnTo: session.done_url }
    })

    app.post(
      '/api/checkout/:id/card',
      { config: CALLS_A_MINUTE, schema: { params, body: cardChoice } },
      async (request) => {
        const session = await sessionOf(request, 'change', 'portal')
        await replaceCard(sandbox, session.customer_id, request.body.card)
        return contentsOf(session)
      },
    )

    app.post(
      '/api/checkout/:id/advance',
      { config: CALLS_A_MINUTE, schema: { params, body: clockAdvance } },
      async (request) => {
        const session = await sessionOf(request, 'portal')
        await advance(sandbox, session.customer_id, request.body.step)
        return contentsOf(session)
      },
    )

    for (const [action, ending] of [
      ['cancel', true],
      ['resume', false],
    ] as const) {
      app.post(`/api/checkout/:id/${action}`, page, async (request) => {
        const session = await sessionOf(request, 'portal')
        await setEnding(sandbox, session.customer_id, ending)
        return contentsOf(session)
      })
    }
  })
}
