import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { type KeyScope, keyScopes } from '#contract/integrations/api-keys.ts'
import {
  connectAnswer,
  connectRequest,
  scopesAsked,
} from '#contract/integrations/connected-apps.ts'
import { z } from '#contract/zod.ts'
import { AppError } from '../../http/errors.ts'
import { textOf } from '../../http/input/json-body.ts'
import { count } from '../../http/limits/counts-store.ts'
import { memoryLimits } from '../../http/limits/limits.ts'
import { rateLimit } from '../../http/limits/memory-counts.ts'
import { openToSites } from '../../http/policy/allowed-methods.ts'
import { clientAddress, siteAddress } from '../../http/policy/client-address.ts'
import type { AccountDeps } from '../account-deps.ts'
import { changeAccount } from '../account-events.ts'
import { appConnectedLetter } from '../letters.ts'
import { addApp, resourceOf } from '../programs/apps-store.ts'
import { readCookie, setCookie } from '../sessions/cookies.ts'
import { handOn, lateServer } from './authorization-server.ts'
import { clientMetadata, placeOf, siteOfClient } from './client-metadata.ts'

/** The longest body that an app sends */
const BODY_MAX_BYTES = 16 * 1024
/** The longest address to which an app sends a browser: a row keeps all that stands in it. */
const REQUEST_MAX_BYTES = 4 * 1024
const TOO_LONG = 'The app’s request is too long.'

/**
 * The cookie with the request that this browser has answered. Those of oidc-provider do not show that:
 * another site of the same domain could have set them.
 */
const ANSWERED = 'consent'
const ANSWERED_S = 10 * 60
const NOT_HERE = 'This browser didn’t allow the app. Go back to the app and connect again.'

const OVER = 'This request has expired. Go back to the app and connect again.'
/** Errors of oidc-provider that mean the same: the request or its app is gone. Others are ours. */
const OVER_ERRORS = new Set(['SessionNotFound', 'InvalidClient', 'InvalidClientMetadata'])
const DECLINED = { error: 'access_denied', error_description: 'The person declined' }

const params = z.object({ uid: z.string() })

/**
 * How an app is connected, step by step. Apps and the browsers that they send here ask oidc-provider, where no
 * session of ours counts; the person signs in and consents with us.
 */
export async function connectingRoutes(site: FastifyInstance, deps: AccountDeps) {
  const { publicUrl, db, clock, sessions, requireUser } = deps
  const server = lateServer(deps)
  const people = site.withTypeProvider<ZodTypeProvider>()
  const countVisit = { onRequest: rateLimit(memoryLimits.visits, clientAddress) }
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const { body } = request
    return handOn(await server(), request, reply, body instanceof Buffer ? body : undefined)
  }

  await site.register(async (apps) => {
    apps.removeAllContentTypeParsers()
    const asItIs = { parseAs: 'buffer', bodyLimit: BODY_MAX_BYTES } as const
    apps.addContentTypeParser('*', asItIs, async (_request: FastifyRequest, body: Buffer) => body)

    // Before the first: agents, also in browsers, find out whom to ask (RFC 9728, RFC 8414).
    apps.addHook('onRequest', async ({ url }, reply) => {
      if (url.startsWith('/.well-known/')) reply.headers(openToSites)
    })
    const protectedResource = {
      resource: resourceOf(publicUrl),
      authorization_servers: [publicUrl],
      scopes_supported: keyScopes,
      bearer_methods_supported: ['header'],
    }
    for (const path of ['', '/api/mcp']) {
      apps.get(`/.well-known/oauth-protected-resource${path}`, async () => protectedResource)
    }
    apps.get('/.well-known/oauth-authorization-server', answer)

    // 1. The app registers, unless its id is the address of a document that describes it.
    apps.post('/oauth/register', async (request, reply) => {
      await count(db, 'new-apps', clientAddress(request), clock())
      await count(db, 'new-apps-of-site', siteAddress(request), clock())
      const { body } = request
      const text = body instanceof Buffer ? textOf(request, body) : ''
      const described = Buffer.from(JSON.stringify(clientMetadata(text)))
      return handOn(await server(), request, reply, described)
    })

    // 2. It sends the person's browser here, which gets a cookie for this one request.
    apps.get('/oauth/authorize', countVisit, async (request, reply) => {
      if (request.url.length > REQUEST_MAX_BYTES) throw new AppError('bad_request', TOO_LONG)
      await count(db, 'app-requests', clientAddress(request), clock())
      return answer(request, reply)
    })

    // 3. The person signs in. Browsers send that cookie to this path and those below, so the page's calls are here too.
    people.get('/api/connect/:uid', { schema: { params } }, async (request, reply) => {
      const page = `/connect?request=${encodeURIComponent(request.params.uid)}`
      const isSignedIn = await sessions.current(request, reply)
      const login = `/api/login?returnTo=${encodeURIComponent(page)}`
      return reply.redirect(isSignedIn ? page : login, 303)
    })

    // 4. They read what the app wants, and allow or decline it.
    const reading = {
      onRequest: requireUser,
      schema: { params, response: { 200: connectRequest } },
    }
    people.get(
      '/api/connect/:uid/request',
      reading,
      async (request, reply) => (await asking(request, reply, request.params.uid)).shown,
    )
    const answering = { onRequest: requireUser, schema: { params, body: connectAnswer } }
    people.post('/api/connect/:uid', answering, async (request, reply) => {
      const { uid } = request.params
      const { scope, password } = request.body
      const app = await asking(request, reply, uid)
      // An answer that did not get back to the app connected one that it knows nothing of.
      if (app.earlier) await app.provider.Grant.adapter.destroy(app.earlier)
      const result = scope ? await connect(request, app, { scope, password }) : DECLINED
      const url = await app.provider.interactionResult(request.raw, reply.raw, result)
      setCookie(reply, deps, { name: ANSWERED, value: uid, seconds: ANSWERED_S })
      return { url }
    })

    // 5. The browser goes back to the app with a code, for which the app gets its tokens, and later new ones.
    apps.get<{ Params: { uid: string } }>('/oauth/authorize/:uid', countVisit, (request, reply) => {
      if (readCookie(request, deps, ANSWERED) !== request.params.uid) {
        throw new AppError('bad_request', NOT_HERE)
      }
      return answer(request, reply)
    })
    apps.post('/oauth/token', answer)
    apps.post('/oauth/revoke', answer)
  })

  /**
   * The app that asks, by the cookie of the browser that it sent here: another browser could not come back to it.
   * @throws AppError not_found
   */
  async function asking({ raw }: FastifyRequest, reply: FastifyReply, uid: string) {
    const provider = await server()
    const interaction = await provider.interactionDetails(raw, reply.raw).catch(orUndefined)
    const { client_id, redirect_uri, scope } = interaction?.params ?? {}
    const client = await provider.Client.find(`${client_id}`).catch(orUndefined)
    if (interaction?.uid !== uid || !client) throw new AppError('not_found', OVER)
    const { clientId, clientName: name = '' } = client
    const site = siteOfClient(clientId)
    const scopes = scopesAsked(`${scope}`)
    const shown = { name, site, sendsTo: placeOf(`${redirect_uri}`), scopes }
    return { provider, clientId, earlier: interaction.result?.consent?.grantId, shown }
  }

  /**
   * Connects an app, if the owner may and wants to. The grant of its tokens has the id of the app.
   * @throws AppError api_not_in_plan, apps_full, and as `demandRecentProof`
   */
  async function connect(
    request: FastifyRequest,
    { provider, clientId, shown }: Awaited<ReturnType<typeof asking>>,
    { scope, password }: { scope: KeyScope; password?: string | undefined },
  ) {
    const { actor } = request
    if (!(await deps.entitlementsOf(db, actor.workspaceId)).hasApi)
      throw new AppError('api_not_in_plan')
    if (!shown.scopes.includes(scope)) throw new AppError('invalid_input')
    await deps.demandRecentProof(request, password)
    const app = { clientId, name: shown.name, host: shown.site ?? shown.sendsTo, scope }
    const id = await changeAccount(deps, actor, async ({ tx, report }) => {
      const subject = await addApp(tx, actor, app, clock())
      if (!subject) throw new AppError('apps_full')
      await report('app-connected', (context) => appConnectedLetter(context, app), { subject })
      return subject
    })
    const accountId = actor.personId
    const grant = Object.assign(new provider.Grant({ accountId, clientId }), { jti: id })
    grant.addResourceScope(resourceOf(publicUrl), scope === 'write' ? 'read write' : scope)
    if (scope === 'read') grant.rejectResourceScope(resourceOf(publicUrl), 'write')
    await grant.save()
    return { login: { accountId }, consent: { grantId: id } }
  }
}

/** For a request that is over: other errors are ours. */
function orUndefined(error: Error): undefined {
  if (!OVER_ERRORS.has(error.name)) throw error
}
