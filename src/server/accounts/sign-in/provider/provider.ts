import type { Configuration, ServerMetadata } from 'openid-client'
import { reachOf } from '#contract/links.ts'
import { HOUR_MS } from '#contract/time.ts'
import type { ProviderSettings } from '../../../config.ts'
import type { PersonId } from '../../../database/ids.ts'
import type { RoomDeps } from '../../../room.ts'
import { type Identity, identityOf } from './identity.ts'
import { faultOf, ProviderFault } from './provider-fault.ts'

type Library = typeof import('openid-client')

export const CALLBACK_PATH = '/api/auth/provider/callback'

/** How long each call may take, in seconds. */
const PATIENCE_S = 5
/** How far apart our clock and the provider's may be, in seconds. */
const CLOCKS_APART_S = 60
/** How long the provider's metadata count. Its keys are read at each sign-in. */
const METADATA_MS = HOUR_MS

/** A longer one would not fit into the URL of a sign-out. */
const ID_TOKEN_MAX = 6_000

/** The state that a browser keeps between leaving for the provider and coming back. */
export type Flow = {
  state: string
  nonce: string
  verifier: string
  returnTo: string
  /** The account that gets the provider as a way in; null for a sign-in */
  linkTo: PersonId | null
}

/** The result of a sign-in at the provider. `idToken` is empty if it is too long to keep. */
export type ProvedIdentity = { identity: Identity; idToken: string }

type Start = Pick<Flow, 'returnTo' | 'linkTo'> & {
  /** Whether the provider asks for the password again, even if it knows the browser */
  isAgain: boolean
}

/** The operator's OpenID Connect provider, found when it is first needed and again after a failure. */
export function openIdProvider(
  { name, issuer, clientId, clientSecret }: ProviderSettings,
  { publicUrl, clock }: Pick<RoomDeps, 'publicUrl' | 'clock'>,
) {
  let metadata: { found: Promise<ServerMetadata>; at: number } | undefined
  const isHere = issuer.startsWith('http:') && reachOf(issuer) === 'device'

  /** The URL to sign in at, and the state to keep until the browser is back. @throws ProviderFault */
  function begin({ isAgain, ...saved }: Start): Promise<{ url: string; flow: Flow }> {
    return asking(async (library, configuration) => {
      const flow = {
        ...saved,
        state: library.randomState(),
        nonce: library.randomNonce(),
        verifier: library.randomPKCECodeVerifier(),
      }
      const url = library.buildAuthorizationUrl(configuration, {
        redirect_uri: publicUrl + CALLBACK_PATH,
        scope: 'openid email profile',
        state: flow.state,
        nonce: flow.nonce,
        code_challenge_method: 'S256',
        code_challenge: await library.calculatePKCECodeChallenge(flow.verifier),
        ...(isAgain && { prompt: 'login' }),
      })
      return { url: url.href, flow }
    })
  }

  /** The person who came back. @param search the query of the callback, with its question mark @throws ProviderFault */
  function finish(flow: Flow, search: string): Promise<ProvedIdentity> {
    return asking(async (library, configuration) => {
      const address = new URL(publicUrl + CALLBACK_PATH + search)
      const tokens = await library.authorizationCodeGrant(configuration, address, {
        expectedState: flow.state,
        expectedNonce: flow.nonce,
        pkceCodeVerifier: flow.verifier,
        idTokenExpected: true,
      })
      const proved = tokens.claims()
      if (!proved) throw new ProviderFault('refused', 'the provider sent no id_token')
      const more = await moreClaims(library, configuration, tokens.access_token, proved)
      const { id_token: idToken = '' } = tokens
      return {
        identity: identityOf(proved, more),
        idToken: idToken.length <= ID_TOKEN_MAX ? idToken : '',
      }
    })
  }

  /** The URL that signs the browser out of the provider too; undefined if the provider has none. */
  function signOutUrl(idToken: string): Promise<string | undefined> {
    return asking(async (library, configuration) => {
      if (!configuration.serverMetadata().end_session_endpoint) return undefined
      const url = library.buildEndSessionUrl(configuration, {
        id_token_hint: idToken,
        post_logout_redirect_uri: `${publicUrl}/`,
      })
      return url.href
    })
  }

  /** Many providers put names and addresses only into their answer about the user (OpenID Connect Core §5.4). */
  async function moreClaims(
    library: Library,
    configuration: Configuration,
    accessToken: string,
    proved: { sub: string },
  ): Promise<Record<string, unknown>> {
    const isAll = 'email' in proved && 'email_verified' in proved && 'name' in proved
    if (isAll || !configuration.serverMetadata().userinfo_endpoint) return {}
    return library.fetchUserInfo(configuration, accessToken, proved.sub)
  }

  async function asking<T>(ask: (library: Library, configuration: Configuration) => Promise<T>) {
    // It takes 10 MB, so it is loaded with the first sign-in of this kind.
    const library = await import('openid-client')
    try {
      return await ask(library, configurationBy(library, await find(library)))
    } catch (error) {
      const fault = faultOf(error)
      // The provider may have moved.
      if (fault.reason === 'down') metadata = undefined
      throw fault
    }
  }

  async function find(library: Library): Promise<ServerMetadata> {
    const now = clock().getTime()
    const age = now - (metadata?.at ?? Number.NEGATIVE_INFINITY)
    // Metadata from the future were found by a clock that went back since.
    if (!metadata || age < 0 || age >= METADATA_MS) {
      metadata = { found: discover(library), at: now }
    }
    const { found } = metadata
    try {
      return await found
    } catch (error) {
      const { message } = faultOf(error)
      throw new ProviderFault('down', `not found at ${issuer}: ${message}`)
    }
  }

  async function discover(library: Library): Promise<ServerMetadata> {
    const found = await library.discovery(new URL(issuer), clientId, undefined, undefined, {
      timeout: PATIENCE_S,
      // config.ts takes http of this machine only.
      execute: isHere ? [library.allowInsecureRequests] : [],
    })
    return found.serverMetadata()
  }

  /** A new one each time: it keeps the provider's keys, and a new key must work at once. */
  function configurationBy(library: Library, server: ServerMetadata): Configuration {
    const client = {
      [library.clockTolerance]: CLOCKS_APART_S,
      [library.clockSkew]: Math.round((clock().getTime() - Date.now()) / 1000),
    }
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const proof = methods.includes('client_secret_basic')
      ? library.ClientSecretBasic(clientSecret)
      : library.ClientSecretPost(clientSecret)
    const configuration = new library.Configuration(server, clientId, client, proof)
    configuration.timeout = PATIENCE_S
    // Also the signature of an id_token that came over TLS from the provider itself is checked.
    library.enableNonRepudiationChecks(configuration)
    if (isHere) library.allowInsecureRequests(configuration)
    return configuration
  }

  return {
    /** The name on its button */
    name,
    /** The providerId of its accounts. Subjects of another issuer are other people. */
    id: new URL(issuer).href,
    begin,
    finish,
    signOutUrl,
  }
}

export type Provider = ReturnType<typeof openIdProvider>
