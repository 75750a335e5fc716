import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { Provider } from 'oidc-provider'
import { freePort } from './free-port.ts'

/** A person at the provider, by claims. */
export type AtProvider = {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
  given_name?: string
  family_name?: string
  picture?: string
}

const CLIENT_ID = 'tessera'
const CLIENT_SECRET = 'a secret of the client that only the tests know'

function newKey(kid: string) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'ES256' }
}

/**
 * A real OpenID Connect provider on loopback. Every browser is `person` there, without a form, or
 * declines if `isDenied` is set. It can go down and come back, and change its keys.
 */
export class TestProvider {
  readonly issuer: string
  readonly #port: number
  readonly #redirects: string[] = []
  #key = newKey('first')
  #provider: Provider | undefined
  #server: Server | undefined
  person: AtProvider = { sub: 'unset' }
  isDenied = false
  /** The keys that it shows instead of its own */
  otherKeys: object | undefined
  /** Wrong values in its metadata and in its id_tokens */
  otherMetadata: object = {}
  otherClaims: object = {}
  /** How many times a person proved at it who they are */
  proofs = 0

  private constructor(port: number) {
    this.#port = port
    this.issuer = `http://localhost:${port}`
  }

  static async at(): Promise<TestProvider> {
    return new TestProvider(await freePort())
  }

  /** The settings of a service that signs people in here. */
  get environment(): Record<string, string> {
    return {
      OIDC_ISSUER: this.issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_NAME: 'Example ID',
    }
  }

  /** @param origin of the service whose people come here */
  async start(origin?: string): Promise<void> {
    if (origin) this.#redirects.push(origin)
    this.#provider = this.#configured()
    this.#server = this.#provider.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  async stop(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (!server) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }

  /** Signs with another key from now on. The old one cannot be found any more. */
  async rotate(): Promise<void> {
    await this.stop()
    this.#key = newKey('second')
    await this.start()
  }

  /** Makes one of its codes too old. */
  async expire(code: string | null): Promise<void> {
    const found = await this.#provider?.AuthorizationCode.find(code ?? '')
    if (!found) throw new Error('no such code')
    found.exp = 1
    await found.save()
  }

  /** Keys under the right name that sign nothing here. */
  static otherKeys(): object {
    const { d: _secret, ...key } = newKey('first')
    return { keys: [key] }
  }

  /** An id_token with `otherClaims`, signed by the right key. */
  #withOtherClaims(token: string): string {
    const [head, text = ''] = token.split('.')
    const claims = JSON.parse(Buffer.from(text, 'base64url').toString())
    const changed = Buffer.from(JSON.stringify({ ...claims, ...this.otherClaims }))
    const signed = `${head}.${changed.toString('base64url')}`
    const key = createPrivateKey({ key: this.#key, format: 'jwk' })
    const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
    return `${signed}.${signature.toString('base64url')}`
  }

  #configured(): Provider {
    const provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          redirect_uris: this.#redirects.map((origin) => `${origin}/api/auth/provider/callback`),
          post_logout_redirect_uris: this.#redirects.map((origin) => `${origin}/`),
          id_token_signed_response_alg: 'ES256',
        },
      ],
      jwks: { keys: [this.#key] },
      cookies: { keys: ['a key of the provider that only the tests know'] },
      claims: {
        openid: ['sub'],
        email: ['email', 'email_verified'],
        profile: ['name', 'given_name', 'family_name', 'picture'],
      },
      findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...this.person, sub }) }),
      pkce: { required: () => true },
      ttl: {
        IdToken: 3600,
        AccessToken: 600,
        Grant: 3600,
        Session: 3600,
        Interaction: 600,
      },
      features: {
        devInteractions: { enabled: false },
        rpInitiatedLogout: {
          logoutSource: (context, form) => {
            context.body = `<!doctype html><link rel="icon" href="data:,"><title>Sign out?</title>${form}
<button type="submit" form="op.logoutForm" name="logout" value="yes">Sign me out</button>`
          },
        },
      },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      // It asks for no consent.
      loadExistingGrant: async ({ oidc }) => {
        const grant = new provider.Grant({
          ...(oidc.client && { clientId: oidc.client.clientId }),
          ...(oidc.session?.accountId && { accountId: oidc.session.accountId }),
        })
        grant.addOIDCScope('openid email profile')
        await grant.save()
        return grant
      },
      renderError: (context, out) => {
        context.body = `${out.error}: ${out.error_description}`
      },
    })
    provider.use(async (context, next) => {
      if (context.path.startsWith('/interaction/')) {
        this.proofs++
        context.respond = false
        const denied = { error: 'access_denied', error_description: 'declined' }
        const result = this.isDenied ? denied : { login: { accountId: this.person.sub } }
        return provider.interactionFinished(context.req, context.res, result)
      }
      await next()
      if (context.path === '/jwks' && this.otherKeys) context.body = this.otherKeys
      if (context.path.startsWith('/.well-known/')) Object.assign(context.body, this.otherMetadata)
      if (context.path === '/token' && context.body.id_token) {
        context.body.id_token = this.#withOtherClaims(context.body.id_token)
      }
    })
    return provider
  }
}
