import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import {
  type ConnectRequest,
  connectAnswer,
  connectDone,
  connectedApp,
  connectRequest,
  scopesAsked,
} from '#contract/integrations/connected-apps.ts'
import { z } from '#contract/zod.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import type { AccountDeps } from '../account-deps.ts'
import { byOwner, changeAccount, recordByOwner } from '../account-events.ts'
import { appConnectedLetter } from '../letters.ts'
import { addApp, appsOf, presentApp, removeApp, resourceOf } from './apps-store.ts'
import { placeOf, siteOfClient } from './client-metadata.ts'
import type { LateServer } from './late-server.ts'

type ConnectDeps = AccountDeps & { server: LateServer }

const byUid = z.object({ uid: z.string() })
const byId = z.object({ id: z.string() })

/** The consent to an app, and the apps of an account: seen and disconnected on every plan. */
export async function connectRoutes(plain: FastifyInstance, deps: ConnectDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { db, clock, requireUser, entitlementsOf } = deps

  // The cookie of the request belongs to this path and those below, not to the page.
  app.get('/api/connect/:uid', { schema: { params: byUid } }, async ({ params }, reply) =>
    reply.redirect(`/connect?request=${encodeURIComponent(params.uid)}`, 303),
  )

  app.register(async (scope) => {
    const routes = scope.withTypeProvider<ZodTypeProvider>()
    routes.addHook('onRequest', requireUser)

    routes.get(
      '/api/connect/:uid/request',
      { schema: { params: byUid, response: { 200: connectRequest } } },
      async (request, reply) => (await asking(deps, request, reply, request.params.uid)).shown,
    )

    routes.post(
      '/api/connect/:uid/allow',
      { schema: { params: byUid, body: connectAnswer, response: { 200: connectDone } } },
      async (request, reply) => {
        const { userId, params, body } = request
        const { scope } = body
        const { provider, clientId, shown } = await asking(deps, request, reply, params.uid)
        if (!(await entitlementsOf(db, userId)).hasApi) throw new AppError('api_not_in_plan')
        if (!shown.scopes.includes(scope)) throw new AppError('invalid_input')
        await deps.demandOwner(request, body.password)
        const app = { clientId, name: shown.name, host: shown.site ?? shown.sendsTo, scope }
        const { id } = await changeAccount(
          deps,
          byOwner(request),
          async ({ tx, account, report }) => {
            const made = await addApp(tx, userId, app, clock())
            if (!made) throw new AppError('apps_full')
            const letter = { ...app, account }
            await report('app-connected', (context) => appConnectedLetter(context, letter), {
              subject: made.id,
            })
            return made
          },
        )
        const grant = Object.assign(new provider.Grant({ accountId: userId, clientId }), {
          jti: id,
        })
        grant.addResourceScope(resourceOf(deps.publicUrl), scope === 'write' ? 'read write' : scope)
        if (scope === 'read') grant.rejectResourceScope(resourceOf(deps.publicUrl), 'write')
        await grant.save()
        const result = { login: { accountId: userId }, consent: { grantId: id } }
        return { url: await provider.interactionResult(request.raw, reply.raw, result) }
      },
    )

    routes.post(
      '/api/connect/:uid/cancel',
      { schema: { params: byUid, response: { 200: connectDone } } },
      async (request, reply) => {
        const { provider } = await asking(deps, request, reply, request.params.uid)
        const result = { error: 'access_denied', error_description: 'The user declined' }
        return { url: await provider.interactionResult(request.raw, reply.raw, result) }
      },
    )

    routes.get(
      '/api/account/apps',
      { schema: { response: { 200: z.array(connectedApp) } } },
      async ({ userId }) => (await appsOf(db, userId)).map(presentApp),
    )

    routes.delete('/api/account/apps/:id', { schema: { params: byId } }, async (request, reply) => {
      const { userId, params } = request
      const entry = { ...byOwner(request), event: 'app-disconnected', subject: params.id } as const
      await transact(db, async (tx) => {
        if (!(await removeApp(tx, userId, params.id))) throw new AppError('not_found')
        await recordByOwner(tx, deps, entry)
      })
      return reply.code(204).send()
    })
  })
}

/**
 * The app that asks, by the cookie of the browser that it sent here: another browser could not come back to it.
 * @throws AppError connect_request_over
 */
async function asking(
  { server }: ConnectDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  uid: string,
) {
  const provider = await server.provider()
  const { raw } = request
  const interaction = await provider.interactionDetails(raw, reply.raw).catch(() => undefined)
  const { client_id: clientId, redirect_uri: address, scope } = interaction?.params ?? {}
  const client = await provider.Client.find(`${clientId}`).catch(() => undefined)
  if (interaction?.uid !== uid || !client) throw new AppError('connect_request_over')
  const shown: ConnectRequest = {
    name: client.clientName ?? '',
    site: siteOfClient(client.clientId),
    sendsTo: placeOf(`${address}`),
    scopes: scopesAsked(`${scope}`),
  }
  return { provider, clientId: client.clientId, shown }
}
