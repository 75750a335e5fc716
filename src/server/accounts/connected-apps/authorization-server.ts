import { createHmac, generateKeyPairSync } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { keyScopes } from '#contract/integrations/api-keys.ts'
import { scopesAsked } from '#contract/integrations/connected-apps.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/time.ts'
import { download } from '../../http/download.ts'
import { AppError } from '../../http/errors.ts'
import { mayCount } from '../../http/limits/counts-store.ts'
import { errorPage, PAGE_HEADERS } from '../../http/plain-page.ts'
import { clientAddress } from '../../http/policy/client-address.ts'
import type { RoomDeps } from '../../room.ts'
import { APP_MS, IDLE_MS, resourceOf } from '../programs/apps-store.ts'
import { clientMetadata } from './client-metadata.ts'

type ServerDeps = Pick<RoomDeps, 'db' | 'clock' | 'log' | 'secret' | 'publicUrl'>
/** The host in a request that a client sends as to a proxy (RFC 9112 §3.2.2) */
const HOST = /^https?:\/\/[^/]*/i

const AUTHORIZE = '/oauth/authorize'

/** Seconds, as oidc-provider counts. A person may have to choose a plan during the interaction. */
const lives = {
  Interaction: HOUR_MS / SECOND_MS,
  AuthorizationCode: MINUTE_MS / SECOND_MS,
  AccessToken: HOUR_MS / SECOND_MS,
  RefreshToken: IDLE_MS / SECOND_MS,
  Grant: APP_MS / SECOND_MS,
  Session: HOUR_MS / SECOND_MS,
}

/** For the document of an app: it is a small one, and a person waits. */
const DOCUMENT = { maxBytes: 5_000, patienceMs: 2_500, redirectsMax: 0, accept: 'application/json' }

/** Parts of the metadata that are true of a server without sign-ins of its own (RFC 8414 §2) */
const ANNOUNCED =
  /^(issuer|(authorization|token|registration|revocation)_endpoint|(response_types|grant|code|client_id)_.+|token_endpoint_auth_methods_supported|authorization_response_.+)$/

/** The authorization server, which the first agent loads: most servers never need it. */
export function lateServer(deps: ServerDeps): () => Promise<Provider> {
  let loading: Promise<Provider> | undefined
  return () => {
    loading ??= makeServer(deps)
    return loading
  }
}

/** Lets the authorization server answer. @param body what it reads, if a request has a body */
export async function handOn(
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
  body = Buffer.alloc(0),
) {
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
  await provider.callback()(requestFor(provider.issuer, request, body), reply.raw)
}

/**
 * A request as oidc-provider reads it: with the body that was read here, at the address that this server is
 * known by, from the client's address. What the client's own headers say of these does not count.
 */
function requestFor(publicUrl: string, request: FastifyRequest, body: Buffer): IncomingMessage {
  const { method, socket, headers, url } = request.raw
  const { host, protocol } = new URL(publicUrl)
  const own = {
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-forwarded-for': clientAddress(request),
    'content-length': `${body.length}`,
  }
  const given = { method, socket, url: url?.replace(HOST, ''), headers: { ...headers, ...own } }
  return Object.assign(Readable.from([body]), given) as never
}

/**
 * The authorization server of /api/mcp, as revision 2025-11-25 of the Model Context Protocol asks for it:
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization. Its tokens are opaque, and
 * open nothing else.
 */
async function makeServer(deps: ServerDeps): Promise<Provider> {
  const { Provider, errors } = await import('oidc-provider')
  const { NoSessions, OAuthRecords } = await import('./oauth-records.ts')
  const resource = resourceOf(deps.publicUrl)
  const provider = new Provider(deps.publicUrl, {
    ...configuration(deps),
    adapter: (kind) => new (kind === 'Session' ? NoSessions : OAuthRecords)(kind, deps),
    // Its other features have no route here (connecting.ts).
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      revocation: { enabled: true },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        cacheDuration: { min: HOUR_MS / SECOND_MS, max: DAY_MS / SECOND_MS },
        // The consent looks the app up without a context: its document was counted when the app asked.
        allowFetch: async (context, id) =>
          !context ||
          (await isConnected(context, id)) ||
          mayCount(deps.db, 'new-apps', context.ip, deps.clock()),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        getResourceServerInfo: (_context, asked) => {
          if (asked !== resource) throw new errors.InvalidTarget()
          return { scope: keyScopes.join(' '), audience: resource, accessTokenFormat: 'opaque' }
        },
      },
    },
  })
  // It reads our address, and the client's, from the headers of a proxy, which `requestFor` writes.
  provider.proxy = true
  provider.use(async (context, next) => {
    if (context.path === AUTHORIZE) {
      // Its page that posts the answer on (`form_post`) does not get past our policy for pages.
      const { response_mode: _, ...query } = context.query
      context.query = { ...query, scope: scopesAsked(`${query.scope}`).join(' ') }
    }
    await next()
    if (context.body && context.path.startsWith('/.well-known/')) {
      context.body = metadataOf(context.body as object)
    }
  })
  // An app throws its tokens away at `invalid_client`, as which a document that cannot be read counts.
  provider.on('grant.error', (context, error) => {
    const { client } = context.oidc
    deps.log.info({ client: client?.clientId, why: error.error_detail }, 'an app got no token')
    if (error instanceof errors.InvalidClient) tellToWait(context, new AppError('unavailable'))
  })
  provider.on('server_error', (context, error) => {
    if (error instanceof AppError) return tellToWait(context, error)
    deps.log.error({ err: error }, 'an app could not be connected')
  })
  // Else Koa prints it.
  const koa: EventEmitter = provider
  koa.on('error', (error) => {
    deps.log.error({ err: error }, 'an app got no answer')
  })
  return provider
}

function configuration({ secret }: ServerDeps): Configuration {
  const cookieKey = createHmac('sha256', secret).update('oauth cookies').digest('base64url')
  return {
    clientAuthMethods: ['none'],
    responseTypes: ['code'],
    pkce: { required: () => true },
    clientBasedCORS: () => false,
    // Signs tokens of sign-ins, of which it issues none.
    jwks: { keys: [newKey()] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    cookies: { keys: [cookieKey] },
    routes: {
      authorization: AUTHORIZE,
      token: '/oauth/token',
      registration: '/oauth/register',
      revocation: '/oauth/revoke',
    },
    ttl: lives,
    interactions: { url: (_context, { uid }) => `/api/connect/${uid}` },
    // Each connection is consented to.
    loadExistingGrant: async ({ oidc: { result, provider } }) =>
      provider.Grant.find(result?.consent?.grantId ?? ''),
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
    expiresWithSession: () => false,
    issueRefreshToken: () => true,
    rotateRefreshToken: () => true,
    // An app that gives a token back is disconnected.
    revokeGrantPolicy: () => true,
    renderError,
    fetch: async (address) => new Response(await documentOf(`${address}`)),
  }
}

const newKey = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })

/** An app's document, in JSON. It is fetched as a picture that a stranger names. */
async function documentOf(address: string): Promise<string> {
  const json = `${await download(address, DOCUMENT)}`
  const { client_id, token_endpoint_auth_method = 'none' } = JSON.parse(json)
  return JSON.stringify({ ...clientMetadata(json), client_id, token_endpoint_auth_method })
}

/** Whether a call has a token that this app got from us: then its document is fetched as often as it takes. */
async function isConnected({ oidc }: KoaContextWithOIDC, clientId: string): Promise<boolean> {
  const token = await oidc.provider.RefreshToken.find(`${oidc.params?.refresh_token}`)
  return token?.clientId === clientId
}

/** Tells an app to come again later. */
function tellToWait(context: KoaContextWithOIDC, { status, message, retryAfter }: AppError) {
  context.status = status
  if (retryAfter) context.set('retry-after', `${retryAfter}`)
  context.body = { error: 'temporarily_unavailable', error_description: message }
}

const metadataOf = (all: object) => ({
  ...Object.fromEntries(Object.entries(all).filter(([name]) => ANNOUNCED.test(name))),
  scopes_supported: keyScopes,
})

/** A page for a person whose app asked wrongly, or too late. */
function renderError(
  context: KoaContextWithOIDC,
  { error, error_description: why }: { error: string; error_description?: string },
) {
  const reason = error === 'server_error' ? 'something went wrong on our side' : (why ?? error)
  const message = `The app couldn’t be connected: ${reason}. Go back to it and connect again.`
  context.set(PAGE_HEADERS)
  context.body = errorPage({ status: context.status, message })
}
