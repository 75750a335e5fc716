import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import type {
  OAuthClientInformationMixed,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import type { KeyScope } from '../../src/contract/integrations/api-keys.ts'
import { Browser } from './browser.ts'
import { someAddress } from './crowd.ts'
import type { Person } from './person.ts'
import type { Tessera } from './tessera.ts'

/** No server is there: the tests read the address to which a browser is sent. */
const CALLBACK = 'http://127.0.0.1:6274/callback'

type Place = Pick<Tessera, 'origin'>

/** An app that asks for access as the official client of the Model Context Protocol does. */
export class ConnectingApp implements OAuthClientProvider {
  readonly redirectUrl: string
  readonly clientMetadata
  /** The process that it asks */
  place: Place
  /** The page that it opens in the person's browser */
  page = new URL('about:blank')
  client: OAuthClientInformationMixed | undefined
  given: OAuthTokens | undefined
  #verifier = ''

  constructor(place: Place, name = 'Robot', redirectUrl = CALLBACK) {
    this.place = place
    this.redirectUrl = redirectUrl
    this.clientMetadata = { client_name: name, redirect_uris: [redirectUrl] }
  }

  clientInformation = () => this.client
  saveClientInformation = (client: OAuthClientInformationMixed) => {
    this.client = client
  }
  tokens = () => this.given
  saveTokens = (tokens: OAuthTokens) => {
    this.given = tokens
  }
  redirectToAuthorization = (page: URL) => {
    this.page = page
  }
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier
  }
  codeVerifier = () => this.#verifier
  invalidateCredentials = (which: string) => {
    if (which !== 'verifier') this.given = undefined
    if (which === 'client') this.client = undefined
  }

  /** Asks for access: registers, or refreshes its tokens, or takes them for a code. */
  ask(authorizationCode?: string) {
    const from = { 'x-forwarded-for': someAddress() }
    return auth(this, {
      serverUrl: `${this.place.origin}/api/mcp`,
      ...(authorizationCode && { authorizationCode }),
      fetchFn: (address, init) =>
        fetch(address, {
          ...init,
          headers: { ...Object.fromEntries(new Headers(init?.headers)), ...from },
        }),
    })
  }

  /** Asks for new tokens, as a thief of a refresh token could. */
  refresh(token = this.given?.refresh_token ?? '', scope = ''): Promise<Response> {
    const asked = { grant_type: 'refresh_token', refresh_token: token, scope }
    const body = new URLSearchParams({ ...asked, client_id: this.client?.client_id ?? '' })
    return fetch(`${this.place.origin}/oauth/token`, { method: 'POST', body })
  }
}

/** The browser of a person whom an app has sent to the consent. */
export class ConsentingBrowser extends Browser {
  readonly #origin: string
  uid = ''

  private constructor({ tessera, cookie }: Person) {
    super()
    this.#origin = tessera.origin
    this.give(tessera.origin, cookie)
  }

  static async at(person: Person, page: URL): Promise<ConsentingBrowser> {
    const browser = new ConsentingBrowser(person)
    const { url } = await browser.open(page, ({ pathname }) => pathname === '/connect')
    browser.uid = url.searchParams.get('request') ?? ''
    return browser
  }

  /** Sends the person’s answer; null declines. */
  answer(scope: KeyScope | null, password?: string): Promise<Response> {
    const headers = { 'content-type': 'application/json', origin: this.#origin }
    const url = new URL(`/api/connect/${this.uid}`, this.#origin)
    return this.fetch(url, { method: 'POST', headers, body: JSON.stringify({ scope, password }) })
  }

  /** Sends it and goes back to the app. Returns the address that the app gets. */
  async leave(scope: KeyScope | null, callback = CALLBACK): Promise<URL> {
    const { url } = await (await this.answer(scope)).json()
    return (await this.open(url, ({ href }) => href.startsWith(callback))).url
  }
}

/** An app that this person has connected. */
export async function connectApp(person: Person, scope: KeyScope = 'write') {
  const app = new ConnectingApp(person.tessera)
  await app.ask()
  const browser = await ConsentingBrowser.at(person, app.page)
  const answer = await browser.leave(scope)
  await app.ask(answer.searchParams.get('code') ?? '')
  return app
}
