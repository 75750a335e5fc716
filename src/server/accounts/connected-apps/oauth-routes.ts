import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { keyScopes } from '#contract/integrations/api-keys.ts'
import { AppError } from '../../http/errors.ts'
import { textOf } from '../../http/input/json-body.ts'
import { count } from '../../http/limits/counts-store.ts'
import { memoryLimits } from '../../http/limits/limits.ts'
import { rateLimit } from '../../http/limits/memory-counts.ts'
import { openToSites } from '../../http/policy/allowed-methods.ts'
import { clientAddress, siteAddress } from '../../http/policy/client-address.ts'
import type { RoomDeps } from '../../room.ts'
import { readCookie } from '../sessions/cookies.ts'
import { resourceOf } from './apps-store.ts'
import type { LoadServer } from './authorization-server.ts'
import { clientMetadata } from './client-metadata.ts'
import { ANSWERED } from './connect-routes.ts'

type OAuthDeps = Pick<RoomDeps, 'db' | 'clock' | 'publicUrl' | 'secret'> & { server: LoadServer }

/** The longest body that an app sends */
const BODY_MAX_BYTES = 16 * 1024
/** The longest address to which an app sends a browser: a row keeps all that stands in it. */
const REQUEST_MAX_BYTES = 4 * 1024
const TOO_LONG = 'The app’s request is too long.'
const NOT_HERE = 'This browser didn’t allow the app. Go back to the app and connect again.'
/** The host in a request that a client sends as to a proxy (RFC 9112 §3.2.2) */
const HOST = /^https?:\/\/[^/]*/i

/** The addresses that agents ask, of their own accord or by the person's browser. No session of ours counts here. */
export async function oauthRoutes(app: FastifyInstance, deps: OAuthDeps) {
  const { publicUrl, db, clock, server } = deps
  app.removeAllContentTypeParsers()
  const asItIs = { parseAs: 'buffer', bodyLimit: BODY_MAX_BYTES } as const
  app.addContentTypeParser('*', asItIs, async (_request: FastifyRequest, body: Buffer) => body)

  // Agents in browsers find out here whom to ask.
  app.addHook('onRequest', async ({ url }, reply) => {
    if (url.startsWith('/.well-known/')) reply.headers(openToSites)
  })

  // RFC 9728
  const protectedResource = {
    resource: resourceOf(publicUrl),
    authorization_servers: [publicUrl],
    scopes_supported: keyScopes,
    bearer_methods_supported: ['header'],
  }
  for (const path of ['', '/api/mcp']) {
    app.get(`/.well-known/oauth-protected-resource${path}`, async () => protectedResource)
  }

  const handOn = async (request: FastifyRequest, reply: FastifyReply) => {
    const answer = (await server()).callback()
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value)
    }
    await answer(asAsked(request, publicUrl), reply.raw)
  }
  const countVisit = { onRequest: rateLimit(memoryLimits.visits, clientAddress) }
  app.get('/.well-known/oauth-authorization-server', handOn)
  app.get('/oauth/authorize', countVisit, async (request, reply) => {
    if (request.url.length > REQUEST_MAX_BYTES) throw new AppError('bad_request', TOO_LONG)
    await count(db, 'app-requests', clientAddress(request), clock())
    return handOn(request, reply)
  })
  app.get<{ Params: { uid: string } }>('/oauth/authorize/:uid', countVisit, (request, reply) => {
    if (readCookie(request, deps, ANSWERED) !== request.params.uid) {
      throw new AppError('bad_request', NOT_HERE)
    }
    return handOn(request, reply)
  })
  app.post('/oauth/token', handOn)
  app.post('/oauth/revoke', handOn)
  app.post('/oauth/register', async (request, reply) => {
    await count(db, 'new-apps', clientAddress(request), clock())
    await count(db, 'new-apps-of-site', siteAddress(request), clock())
    const { body } = request
    const text = body instanceof Buffer ? textOf(request, body) : ''
    request.body = Buffer.from(JSON.stringify(clientMetadata(text)))
    return handOn(request, reply)
  })
}

/**
 * A request as oidc-provider reads it: with the body that was read here, at the address that this server is
 * known by, from the client's address. What the client's own headers say of these does not count.
 */
function asAsked(request: FastifyRequest, publicUrl: string): IncomingMessage {
  const { raw, body } = request
  const { host, protocol } = new URL(publicUrl)
  const bytes = body instanceof Buffer ? body : Buffer.alloc(0)
  const headers = {
    ...raw.headers,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-forwarded-for': clientAddress(request),
    'content-length': `${bytes.length}`,
  }
  const { method, socket } = raw
  const url = raw.url?.replace(HOST, '')
  return Object.assign(Readable.from([bytes]), { method, url, socket, headers }) as never
}
