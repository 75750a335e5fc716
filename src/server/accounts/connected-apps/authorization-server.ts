import { createHmac, generateKeyPairSync } from 'node:crypto'
import { type Configuration, errors, type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { keyScopes } from '#contract/integrations/api-keys.ts'
import { scopesAsked } from '#contract/integrations/connected-apps.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/time.ts'
import { errorPage } from '../../http/error-page.ts'
import { mayCount } from '../../http/limits/counts-store.ts'
import { PAGE_HEADERS } from '../../http/plain-page.ts'
import { download } from '../../http/public-network.ts'
import type { RoomDeps } from '../../room.ts'
import { resourceOf } from './apps-store.ts'
import { clientMetadata } from './client-metadata.ts'
import { NoSessions, OAuthRecords } from './oauth-records.ts'

export type ServerDeps = Pick<RoomDeps, 'db' | 'clock' | 'log' | 'secret' | 'publicUrl'>

export const AUTHORIZE = '/oauth/authorize'
export const METADATA = '/.well-known/oauth-authorization-server'

/** Seconds, as oidc-provider counts */
const lives = {
  /** A person may have to sign up and choose a plan first. */
  Interaction: HOUR_MS / SECOND_MS,
  AuthorizationCode: MINUTE_MS / SECOND_MS,
  AccessToken: HOUR_MS / SECOND_MS,
  /** Since its last use: an app that rests longer asks again. */
  RefreshToken: (30 * DAY_MS) / SECOND_MS,
  Grant: (365 * DAY_MS) / SECOND_MS,
  Session: HOUR_MS / SECOND_MS,
}

/** For the document of an app: it is a small one, and a person waits. */
const DOCUMENT = {
  maxBytes: 5 * 1024,
  patienceMs: 2_500,
  redirectsMax: 0,
  accept: 'application/json',
}

/**
 * The authorization server of /api/mcp, as revision 2025-11-25 of the Model Context Protocol asks for it:
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization. Its tokens are opaque, and
 * open nothing else.
 */
export function makeAuthorizationServer(deps: ServerDeps): Provider {
  const provider = new Provider(deps.publicUrl, configuration(deps))
  // It reads our address, and the client's, from the headers of a proxy, which oauth-routes.ts writes.
  provider.proxy = true
  provider.use(async (context, next) => {
    if (context.path === AUTHORIZE) {
      context.query = { ...context.query, scope: scopesAsked(`${context.query.scope}`).join(' ') }
    }
    await next()
    if (context.path === METADATA) context.body = metadataOf(context.body as Metadata)
  })
  provider.on('server_error', (_context, error) => {
    deps.log.error({ err: error }, 'an app could not be connected')
  })
  return provider
}

function configuration(deps: ServerDeps): Configuration {
  const { publicUrl, secret } = deps
  const resource = resourceOf(publicUrl)
  return {
    adapter: (kind) => new (kind === 'Session' ? NoSessions : OAuthRecords)(kind, deps),
    clientAuthMethods: ['none'],
    clientDefaults: { token_endpoint_auth_method: 'none' },
    responseTypes: ['code'],
    scopes: [],
    pkce: { required: () => true },
    clientBasedCORS: () => false,
    // Signs tokens of sign-ins, of which it issues none.
    jwks: { keys: [newKey()] },
    cookies: {
      keys: [createHmac('sha256', secret).update('oauth cookies').digest('base64url')],
      names: {
        session: 'tessera_oauth',
        interaction: 'tessera_oauth_request',
        resume: 'tessera_oauth_resume',
      },
    },
    routes: {
      authorization: AUTHORIZE,
      token: '/oauth/token',
      registration: '/oauth/register',
      revocation: '/oauth/revoke',
      jwks: '/oauth/keys',
    },
    ttl: lives,
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      revocation: { enabled: true },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        allowFetch: ({ ip }) => mayCount(deps.db, 'new-apps', ip, deps.clock()),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, asked) => {
          if (asked !== resource) throw new errors.InvalidTarget()
          return { scope: keyScopes.join(' '), audience: resource, accessTokenFormat: 'opaque' }
        },
      },
    },
    interactions: { url: (_context, { uid }) => `/api/connect/${uid}` },
    loadExistingGrant: ({ oidc }) => grantOf(oidc),
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

/** Each connection is consented to. */
async function grantOf({ result, provider }: KoaContextWithOIDC['oidc']) {
  const id = result?.consent?.grantId
  return id === undefined ? undefined : provider.Grant.find(id)
}

/** An app's document, in JSON. It is fetched as a picture that a stranger names. */
async function documentOf(address: string): Promise<string> {
  const document = JSON.parse((await download(address, DOCUMENT)).toString())
  const { client_id, token_endpoint_auth_method = 'none' } = document
  return JSON.stringify({ ...clientMetadata(document), client_id, token_endpoint_auth_method })
}

const newKey = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })

type Metadata = Record<string, unknown>

/** Parts of the metadata that are true of a server without sign-ins of its own (RFC 8414 §2) */
const TOLD = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
  'response_types_supported',
  'response_modes_supported',
  'grant_types_supported',
  'token_endpoint_auth_methods_supported',
  'code_challenge_methods_supported',
  'authorization_response_iss_parameter_supported',
  'client_id_metadata_document_supported',
]

const metadataOf = (all: Metadata): Metadata => ({
  ...Object.fromEntries(TOLD.map((name) => [name, all[name]])),
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
