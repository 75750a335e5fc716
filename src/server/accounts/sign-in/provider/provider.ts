import type { Configuration, ServerMetadata } from 'openid-client'
import { reachOf } from '#contract/links.ts'
import { HOUR_MS } from '#contract/time.ts'
import type { Clock } from '../../../clock.ts'
import type { ProviderSettings } from '../../../config.ts'
import type { Flow } from './flow-cookie.ts'
import { type Identity, identityOf } from './identity.ts'
import { faultOf, ProviderFault } from './provider-fault.ts'

type Library = typeof import('openid-client')

export const CALLBACK_PATH = '/api/auth/provider/callback'

/** How long each call may take, in seconds. */
const PATIENCE_S = 5
/** How far apart our clock and the provider's may be, in seconds. */
const CLOCKS_APART_S = 60
/** How long we go by what the provider said of itself. Its keys are read at each sign-in. */
const METADATA_MS = HOUR_MS

/** Longer ones would not fit into the address of a sign-out. */
const ID_TOKEN_MAX = 6_000

/** What a sign-in at the provider proves. `idToken` is empty where it is too long to keep. */
export type Proved = { identity: Identity; idToken: string }

type Start = Pick<Flow, 'returnTo' | 'linkTo'> & {
  /** Whether the provider asks for the password again, also where it knows the browser */
  isAgain: boolean
}

/** The operator's OpenID Connect provider, found when it is first needed and again after a failure. */
export class Provider {
  readonly #settings: ProviderSettings
  readonly #publicUrl: string
  readonly #clock: Clock
  #library: Promise<Library> | undefined
  #metadata: { found: Promise<ServerMetadata>; at: number } | undefined

  constructor(settings: ProviderSettings, publicUrl: string, clock: Clock) {
    this.#settings = settings
    this.#publicUrl = publicUrl
    this.#clock = clock
  }

  /** What its button says. */
  get name(): string {
    return this.#settings.name
  }

  /** The providerId of its accounts: subjects of another issuer are other people. */
  get id(): string {
    return new URL(this.#settings.issuer).href
  }

  /** Where the browser goes to sign in, and what we must remember until it is back. @throws ProviderFault */
  begin({ isAgain, ...kept }: Start): Promise<{ url: string; flow: Omit<Flow, 'until'> }> {
    return this.#asking(async (library, configuration) => {
      const flow = {
        ...kept,
        state: library.randomState(),
        nonce: library.randomNonce(),
        verifier: library.randomPKCECodeVerifier(),
      }
      const url = library.buildAuthorizationUrl(configuration, {
        ...{ redirect_uri: this.#publicUrl + CALLBACK_PATH, scope: 'openid email profile' },
        ...{ state: flow.state, nonce: flow.nonce, code_challenge_method: 'S256' },
        code_challenge: await library.calculatePKCECodeChallenge(flow.verifier),
        ...(isAgain && { prompt: 'login' }),
      })
      return { url: url.href, flow }
    })
  }

  /** Who came back. @param search the query of the callback, with its question mark @throws ProviderFault */
  finish(flow: Flow, search: string): Promise<Proved> {
    return this.#asking(async (library, configuration) => {
      const address = new URL(this.#publicUrl + CALLBACK_PATH + search)
      const tokens = await library.authorizationCodeGrant(configuration, address, {
        ...{ expectedState: flow.state, expectedNonce: flow.nonce },
        ...{ pkceCodeVerifier: flow.verifier, idTokenExpected: true },
      })
      const proved = tokens.claims()
      if (!proved) throw new ProviderFault('refused', 'the provider sent no id_token')
      const more = await this.#moreClaims(library, configuration, tokens.access_token, proved)
      const { id_token: idToken = '' } = tokens
      return {
        identity: identityOf(proved, more),
        idToken: idToken.length <= ID_TOKEN_MAX ? idToken : '',
      }
    })
  }

  /** Where the browser signs out of the provider too; undefined where it offers that to nobody. */
  signOutUrl(idToken: string): Promise<string | undefined> {
    return this.#asking(async (library, configuration) => {
      if (!configuration.serverMetadata().end_session_endpoint) return undefined
      const url = library.buildEndSessionUrl(configuration, {
        id_token_hint: idToken,
        post_logout_redirect_uri: `${this.#publicUrl}/`,
      })
      return url.href
    })
  }

  /** Many providers put names and addresses only into their answer about the user (OpenID Connect Core §5.4). */
  async #moreClaims(
    library: Library,
    configuration: Configuration,
    accessToken: string,
    proved: { sub: string },
  ): Promise<Record<string, unknown>> {
    const isAll = 'email' in proved && 'email_verified' in proved && 'name' in proved
    if (isAll || !configuration.serverMetadata().userinfo_endpoint) return {}
    return library.fetchUserInfo(configuration, accessToken, proved.sub)
  }

  async #asking<T>(ask: (library: Library, configuration: Configuration) => Promise<T>) {
    const library = await this.#load()
    try {
      return await ask(library, this.#configurationBy(library, await this.#find(library)))
    } catch (error) {
      const fault = faultOf(error)
      // It may have moved meanwhile.
      if (fault.reason === 'down') this.#metadata = undefined
      throw fault
    }
  }

  /** Takes 10 MB, so it is loaded when somebody first signs in this way. */
  #load(): Promise<Library> {
    this.#library ??= import('openid-client')
    return this.#library
  }

  async #find(library: Library): Promise<ServerMetadata> {
    const now = this.#clock().getTime()
    const age = now - (this.#metadata?.at ?? Number.NEGATIVE_INFINITY)
    // What was found in the future was found by a clock that has gone back since.
    if (!this.#metadata || age < 0 || age >= METADATA_MS) {
      this.#metadata = { found: this.#discover(library), at: now }
    }
    const { found } = this.#metadata
    try {
      return await found
    } catch (error) {
      const { message } = faultOf(error)
      throw new ProviderFault('down', `not found at ${this.#settings.issuer}: ${message}`)
    }
  }

  async #discover(library: Library): Promise<ServerMetadata> {
    const { issuer, clientId } = this.#settings
    const found = await library.discovery(new URL(issuer), clientId, undefined, undefined, {
      timeout: PATIENCE_S,
      // config.ts takes http of this machine only.
      execute: this.#isHere ? [library.allowInsecureRequests] : [],
    })
    return found.serverMetadata()
  }

  get #isHere(): boolean {
    return this.#settings.issuer.startsWith('http:') && reachOf(this.#settings.issuer) === 'device'
  }

  /** A new one each time: it keeps the provider's keys, and a new key must work at once. */
  #configurationBy(library: Library, metadata: ServerMetadata): Configuration {
    const { clientId, clientSecret } = this.#settings
    const client = {
      [library.clockTolerance]: CLOCKS_APART_S,
      [library.clockSkew]: Math.round((this.#clock().getTime() - Date.now()) / 1000),
    }
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const proof = methods.includes('client_secret_basic')
      ? library.ClientSecretBasic(clientSecret)
      : library.ClientSecretPost(clientSecret)
    const configuration = new library.Configuration(metadata, clientId, client, proof)
    configuration.timeout = PATIENCE_S
    // Also the signature of an id_token that came over TLS from the provider itself is checked.
    library.enableNonRepudiationChecks(configuration)
    if (this.#isHere) library.allowInsecureRequests(configuration)
    return configuration
  }
}
