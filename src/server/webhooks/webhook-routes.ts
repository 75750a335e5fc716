import type { onRequestHookHandler } from 'fastify'
import { binQuery, partOf } from '#contract/codes/codes.ts'
import {
  deliveriesQuery,
  delivery,
  deliveryList,
  madeWebhook,
  newWebhook,
  webhook,
  webhookChange,
  webhookList,
  webhookSecret,
  wholeDelivery,
} from '#contract/integrations/webhooks.ts'
import { onceHeaders } from '#contract/request-headers.ts'
import { idParams, z } from '#contract/zod.ts'
import { partOfList, wholeUnless } from '../http/lists.ts'
import { takesKeys } from '../http/policy/route-rules.ts'
import type { Api } from '../room.ts'
import type { webhookEndpoints } from './endpoints.ts'

export type WebhookRoutesDeps = {
  endpoints: ReturnType<typeof webhookEndpoints>
  requireUser: onRequestHookHandler
}

const params = z.object({ id: idParams.shape.id.max(100) })

/** The webhooks of an account: their owner and programs with keys add, change, test and remove them, and see their deliveries. */
export async function webhookRoutes(app: Api, deps: WebhookRoutesDeps) {
  const { endpoints } = deps
  app.addHook('onRequest', deps.requireUser)
  app.addHook('onRoute', takesKeys)

  const answer = z.union([webhookList, partOf(webhook)])
  const list = { schema: { querystring: binQuery, response: { 200: answer } } }
  app.get('/api/webhooks', list, async ({ actor, query }) => {
    const all = await endpoints.list(actor.workspaceId)
    return wholeUnless(partOfList(all.webhooks, query), all)
  })

  const make = {
    schema: { headers: onceHeaders, body: newWebhook, response: { 201: madeWebhook } },
  }
  app.post('/api/webhooks', make, async ({ actor, body }, reply) =>
    reply.code(201).send(await endpoints.make(actor, body)),
  )

  const change = { schema: { params, body: webhookChange, response: { 200: webhook } } }
  app.patch('/api/webhooks/:id', change, ({ actor, params, body }) =>
    endpoints.change(actor, params.id, body),
  )

  app.delete('/api/webhooks/:id', { schema: { params } }, async (request, reply) => {
    await endpoints.remove(request.actor, request.params.id)
    return reply.code(204).send()
  })

  // A program that has it can write events: a key that only reads cannot.
  const secret = {
    config: { key: 'write' as const },
    schema: { params, response: { 200: webhookSecret } },
  }
  app.get('/api/webhooks/:id/secret', secret, ({ actor, params }) =>
    endpoints.secret(actor.workspaceId, params.id),
  )
  const another = { ...secret, schema: { ...secret.schema, headers: onceHeaders } }
  app.post('/api/webhooks/:id/secret', another, ({ actor, params }) =>
    endpoints.rotate(actor, params.id),
  )

  const sending = { schema: { params, response: { 202: delivery } } }
  app.post('/api/webhooks/:id/test', sending, async ({ actor, params }, reply) =>
    reply.code(202).send(await endpoints.test(actor, params.id)),
  )

  const deliveries = {
    schema: { params, querystring: deliveriesQuery, response: { 200: deliveryList } },
  }
  app.get('/api/webhooks/:id/deliveries', deliveries, ({ actor, params, query }) =>
    endpoints.deliveries(actor.workspaceId, params.id, query),
  )

  const one = { schema: { params, response: { 200: wholeDelivery } } }
  app.get('/api/webhooks/deliveries/:id', one, ({ actor, params }) =>
    endpoints.delivery(actor.workspaceId, params.id),
  )
  app.post('/api/webhooks/deliveries/:id/resend', sending, async ({ actor, params }, reply) =>
    reply.code(202).send(await endpoints.resend(actor, params.id)),
  )
}
