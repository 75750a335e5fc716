import type { onRequestHookHandler } from 'fastify'
import { binQuery, partOf } from '#contract/codes/codes.ts'
import { domain, domainChange, domainList, newDomain } from '#contract/integrations/domains.ts'
import { onceHeaders } from '#contract/request-headers.ts'
import { idParams, z } from '#contract/zod.ts'
import { AppError } from '../http/errors.ts'
import { partOfList, wholeUnless } from '../http/lists.ts'
import { isAskedHere } from '../http/operations.ts'
import { takesKeys } from '../http/policy/route-rules.ts'
import type { Api } from '../room.ts'
import { isSame } from '../same-secret.ts'
import type { claimedDomains } from './domains.ts'
import type { HeldDomains } from './held-domains.ts'

export type DomainRoutesDeps = {
  domains: ReturnType<typeof claimedDomains>
  requireUser: onRequestHookHandler
}

const params = z.object({ id: idParams.shape.id.max(100) })
const one = { 200: domain }

/** The domains of an account: their owner adds, checks, changes and removes them. */
export async function domainRoutes(app: Api, deps: DomainRoutesDeps) {
  const { domains } = deps
  app.addHook('onRequest', deps.requireUser)
  app.addHook('onRoute', takesKeys)

  const answer = z.union([domainList, partOf(domain)])
  const list = { schema: { querystring: binQuery, response: { 200: answer } } }
  app.get('/api/domains', list, async ({ actor, query }) => {
    const all = await domains.list(actor.workspaceId)
    return wholeUnless(partOfList(all.domains, query), all)
  })

  const add = { schema: { headers: onceHeaders, body: newDomain, response: { 201: domain } } }
  app.post('/api/domains', add, async ({ actor, body }, reply) =>
    reply.code(201).send(await domains.add(actor, body.host)),
  )

  app.post('/api/domains/:id/check', { schema: { params, response: one } }, (request) =>
    domains.check(request.actor, request.params.id),
  )

  const change = { schema: { params, body: domainChange, response: one } }
  app.patch('/api/domains/:id', change, ({ actor, params, body }) =>
    domains.change(actor, params.id, body),
  )

  app.delete('/api/domains/:id', { schema: { params } }, async (request, reply) => {
    await domains.remove(request.actor, request.params.id)
    return reply.code(204).send()
  })

  app.post('/api/domains/:id/restore', { schema: { params, response: one } }, (request) =>
    domains.restore(request.actor, request.params.id),
  )
}

const askQuery = z.object({ domain: z.string().max(300), token: z.string().max(300).optional() })

/**
 * GET /api/tls-ask: whether a certificate may be had for a domain, as Caddy's on-demand TLS asks
 * (https://caddyserver.com/docs/caddyfile/options#on-demand-tls). It answers from memory. Without a
 * token only a program on this machine may ask.
 */
export function tlsAskRoute(app: Api, held: HeldDomains, token: string | undefined) {
  app.get('/api/tls-ask', { schema: { querystring: askQuery } }, async (request, reply) => {
    const { domain, token: given = '' } = request.query
    const mayAsk = token === undefined ? isAskedHere(request) : isSame(given, token)
    if (!mayAsk || !held.get(domain)) throw new AppError('not_found')
    return reply.code(200).send()
  })
}
