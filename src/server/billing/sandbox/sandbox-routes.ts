import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { hasRight } from '#contract/accounts/roles.ts'
import {
  type PortalPage,
  type SandboxPage,
  sandboxAct,
  sandboxAnswer,
  sandboxPage,
} from '#contract/billing/sandbox.ts'
import { idParams } from '#contract/zod.ts'
import type { Actor } from '../../actor.ts'
import type { PersonId, WorkspaceId } from '../../database/ids.ts'
import { iso } from '../../dates.ts'
import { AppError } from '../../http/errors.ts'
import { memoryLimits } from '../../http/limits/limits.ts'
import { rateLimit } from '../../http/limits/memory-counts.ts'
import { clientAddress } from '../../http/policy/client-address.ts'
import { membershipIn, unlessOwn } from '../../memberships.ts'
import { changedUrl } from '../checkout.ts'
import { changeBooks, type SandboxDeps } from './sandbox.ts'
import { orderPage, portalPage, presentInvoice } from './sandbox-pages.ts'
import { afterAct } from './sandbox-rules.ts'
import { findBooks, findSession, listInvoices } from './sandbox-store.ts'

export type SandboxRoutesDeps = {
  sandbox: SandboxDeps
  requireUser: onRequestHookHandler
  payer: (workspaceId: WorkspaceId) => Promise<PortalPage['payer']>
  /** The id of the signed-in account, if any. */
  userOf: (request: FastifyRequest, reply: FastifyReply) => Promise<PersonId | undefined>
  /** The page's HTML. */
  page: () => string
}

/** The sandbox's pages and their calls, which are open to their own account only. */
export async function sandboxRoutes(plain: FastifyInstance, deps: SandboxRoutesDeps) {
  const { sandbox } = deps
  const { db, clock, publicUrl } = sandbox

  /** The account's customer, by whose id the portal opens, or with the session whose id another page has. */
  async function find(id: string, workspaceId: WorkspaceId) {
    const books = await findBooks(db, { workspace_id: workspaceId })
    if (books?.id === id) return { books, session: undefined }
    const session = await findSession(db, id, clock())
    if (!books || session?.state !== 'open' || session.customer_id !== books.id) return undefined
    return { books, session }
  }

  async function opened(id: string, workspaceId: WorkspaceId) {
    const found = await find(id, workspaceId)
    if (!found) throw new AppError('checkout_not_found')
    return found
  }

  async function contentsOf(id: string, actor: Actor): Promise<SandboxPage> {
    const { workspaceId } = actor
    const { books, session } = await opened(id, workspaceId)
    const now = clock().getTime() + books.clock_offset
    if (session) return orderPage(session, books, now)
    const rows = await listInvoices(db, books.id)
    const invoices = rows.map((row) => presentInvoice(row, publicUrl))
    const { name, email } = await deps.payer(workspaceId)
    const payer = { name, email }
    const backTo = changedUrl(publicUrl, await unlessOwn(db, actor))
    return portalPage(books, { backTo, invoices, now: iso(now), payer })
  }

  const app = plain.withTypeProvider<ZodTypeProvider>()
  const page = {
    onRequest: rateLimit(memoryLimits.visits, clientAddress),
    schema: { params: idParams },
  }
  app.get('/api/checkout/:id', page, async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
    const userId = await deps.userOf(request, reply)
    if (!userId) return reply.redirect(`/api/login?returnTo=${encodeURIComponent(request.url)}`)
    const { id } = request.params
    const place = await membershipIn(db, userId, { object: 'checkouts', id })
    const isThere = place && hasRight(place.role, 'pay') && (await find(id, place.workspaceId))
    // For a session that is not open the page says what to do.
    reply.code(isThere ? 200 : 404).type('text/html; charset=utf-8')
    return reply.send(deps.page())
  })

  const onRequest = [
    deps.requireUser,
    rateLimit(memoryLimits['payment-calls'], ({ rateLimitKey }) => rateLimitKey),
  ]
  app.get(
    '/api/checkout/:id/page',
    { onRequest, schema: { params: idParams, response: { 200: sandboxPage } } },
    ({ actor, params }) => contentsOf(params.id, actor),
  )

  app.post(
    '/api/checkout/:id/page',
    { onRequest, schema: { params: idParams, body: sandboxAct, response: { 200: sandboxAnswer } } },
    async ({ actor, params, body: act }) => {
      const { books, session } = await opened(params.id, actor.workspaceId)
      // On the page of a session there is one thing to do, and on the customer's own the others.
      const isOffered = (act.action === 'pay') === (session !== undefined)
      if (!isOffered) throw new AppError('checkout_not_found')
      await changeBooks(
        { ...sandbox, actor },
        books.id,
        (books, now) => afterAct(books, act, now, session),
        session,
      )
      if (session) return { kind: 'done' as const, returnTo: session.done_url }
      return contentsOf(params.id, actor)
    },
  )
}
