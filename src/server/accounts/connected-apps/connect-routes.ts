import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { KeyScope } from '#contract/integrations/api-keys.ts'
import {
  connectAnswer,
  connectedApp,
  connectRequest,
  scopesAsked,
} from '#contract/integrations/connected-apps.ts'
import { z } from '#contract/zod.ts'
import { transactAs } from '../../actor.ts'
import { AppError } from '../../http/errors.ts'
import type { AccountDeps } from '../account-deps.ts'
import { changeAccount } from '../account-events.ts'
import { appConnectedLetter } from '../letters.ts'
import { setCookie } from '../sessions/cookies.ts'
import { addApp, appsOf, presentApp, removeApp, resourceOf } from './apps-store.ts'
import type { LoadServer } from './authorization-server.ts'
import { placeOf, siteOfClient } from './client-metadata.ts'

type ConnectDeps = AccountDeps & { server: LoadServer }

const byUid = z.object({ uid: z.string() })
const byId = z.object({ id: z.string() })

/**
 * The cookie with the request that this browser has answered. Those of oidc-provider do not show that:
 * another site of the same domain could have set them.
 */
export const ANSWERED = 'consent'
const ANSWERED_S = 10 * 60

const OVER = 'This request has expired. Go back to the app and connect again.'
/** Errors of oidc-provider that mean the same: the request or its app is gone. Others are ours. */
const OVER_ERRORS = new Set(['SessionNotFound', 'InvalidClient', 'InvalidClientMetadata'])
const DECLINED = { error: 'access_denied', error_description: 'The person declined' }

/** The consent to an app, and the apps of an account: seen and disconnected on every plan. */
export async function connectRoutes(plain: FastifyInstance, deps: ConnectDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { db, sessions, requireUser } = deps

  // Browsers send the cookie of the request to this path and those below, so the page's calls are here too.
  app.get('/api/connect/:uid', { schema: { params: byUid } }, async (request, reply) => {
    const page = `/connect?request=${encodeURIComponent(request.params.uid)}`
    const isSignedIn = await sessions.current(request, reply)
    const login = `/api/login?returnTo=${encodeURIComponent(page)}`
    return reply.redirect(isSignedIn ? page : login, 303)
  })

  app.get(
    '/api/connect/:uid/request',
    { onRequest: requireUser, schema: { params: byUid, response: { 200: connectRequest } } },
    async (request, reply) => (await asking(deps, request, reply, request.params.uid)).shown,
  )

  app.post(
    '/api/connect/:uid',
    { onRequest: requireUser, schema: { params: byUid, body: connectAnswer } },
    async (request, reply) => {
      const { scope, password } = request.body
      const app = await asking(deps, request, reply, request.params.uid)
      // An answer that did not get back to the app connected one that it knows nothing of.
      if (app.earlier) await app.provider.Grant.adapter.destroy(app.earlier)
      const result = scope ? await connect(deps, request, app, { scope, password }) : DECLINED
      const url = await app.provider.interactionResult(request.raw, reply.raw, result)
      setCookie(reply, deps, { name: ANSWERED, value: request.params.uid, seconds: ANSWERED_S })
      return { url }
    },
  )

  app.get(
    '/api/account/apps',
    { onRequest: requireUser, schema: { response: { 200: z.array(connectedApp) } } },
    async ({ actor }) => (await appsOf(db, actor.workspaceId)).map(presentApp),
  )

  app.delete(
    '/api/account/apps/:id',
    { onRequest: requireUser, schema: { params: byId } },
    async (request, reply) => {
      const { actor, params } = request
      await transactAs(db, actor, async (tx) => {
        if (!(await removeApp(tx, actor.workspaceId, params.id))) throw new AppError('not_found')
        await deps.record(tx, actor, 'app-disconnected', params.id)
      })
      return reply.code(204).send()
    },
  )
}

type Asking = Awaited<ReturnType<typeof asking>>

/**
 * The app that asks, by the cookie of the browser that it sent here: another browser could not come back to it.
 * @throws AppError not_found
 */
async function asking(
  { server }: ConnectDeps,
  { raw }: FastifyRequest,
  reply: FastifyReply,
  uid: string,
) {
  const provider = await server()
  const interaction = await provider.interactionDetails(raw, reply.raw).catch(unlessOver)
  const { client_id, redirect_uri, scope } = interaction?.params ?? {}
  const client = await provider.Client.find(`${client_id}`).catch(unlessOver)
  if (interaction?.uid !== uid || !client) throw new AppError('not_found', OVER)
  const { clientId, clientName: name = '' } = client
  const site = siteOfClient(clientId)
  const scopes = scopesAsked(`${scope}`)
  const shown = { name, site, sendsTo: placeOf(`${redirect_uri}`), scopes }
  return { provider, clientId, earlier: interaction.result?.consent?.grantId, shown }
}

function unlessOver(error: Error): undefined {
  if (!OVER_ERRORS.has(error.name)) throw error
}

/**
 * Connects an app, if the owner may and wants to. The grant of its tokens has the id of the app.
 * @throws AppError api_not_in_plan, apps_full, and as `demandRecentProof`
 */
async function connect(
  deps: ConnectDeps,
  request: FastifyRequest,
  { provider, clientId, shown }: Asking,
  { scope, password }: { scope: KeyScope; password?: string | undefined },
) {
  const { db, clock, publicUrl, entitlementsOf } = deps
  const { actor } = request
  if (!(await entitlementsOf(db, actor.workspaceId)).hasApi) throw new AppError('api_not_in_plan')
  if (!shown.scopes.includes(scope)) throw new AppError('invalid_input')
  await deps.demandRecentProof(request, password)
  const app = { clientId, name: shown.name, host: shown.site ?? shown.sendsTo, scope }
  const id = await changeAccount(deps, request.actor, async ({ tx, account, report }) => {
    const subject = await addApp(tx, actor.workspaceId, app, clock())
    if (!subject) throw new AppError('apps_full')
    await report('app-connected', (context) => appConnectedLetter(context, { ...app, account }), {
      subject,
    })
    return subject
  })
  const grant = Object.assign(new provider.Grant({ accountId: actor.workspaceId, clientId }), {
    jti: id,
  })
  grant.addResourceScope(resourceOf(publicUrl), scope === 'write' ? 'read write' : scope)
  if (scope === 'read') grant.rejectResourceScope(resourceOf(publicUrl), 'write')
  await grant.save()
  return { login: { accountId: actor.workspaceId }, consent: { grantId: id } }
}
