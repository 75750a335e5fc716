import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { programOf } from '../actor.ts'
import type { Config } from '../config.ts'
import { AppError } from '../http/errors.ts'
import { LOOPBACK, trustedOrigins } from '../http/policy/site-policy.ts'
import { leaveSiteQueue } from '../http/queue/request-queue.ts'
import { type Inject, InnerCalls } from './inner-calls.ts'

type AgentsRoomDeps = {
  config: Pick<Config, 'publicUrl' | 'trustProxy'>
  /** Takes API keys and the tokens of connected apps alone. */
  requireKey: onRequestHookHandler
  /** Asks this server's own routes. */
  inject: Inject
}

const PATH = '/api/mcp'
/** Headers of a message that its answer depends on. */
const HEADERS = ['accept', 'content-type', 'mcp-protocol-version'] as const

/**
 * Agents work with an account by tools, over the Model Context Protocol: one message a request, with an API
 * key or the token of a connected app. A tool does its work by the API's own routes.
 */
export function agentsRoom({ config, requireKey, inject }: AgentsRoomDeps) {
  const { publicUrl } = config
  return {
    routes: async (app: FastifyInstance) => {
      app.addHook('onRequest', fromUs(config))
      app.addHook('onSend', async (_request, reply) => tellWhereToAsk(reply, publicUrl))

      app.post(
        PATH, // Another protocol, with a description of its own.
        { onRequest: requireKey, config: { key: 'read', takesApps: true }, schema: { hide: true } },
        async (request, reply) => {
          const { body, actor } = request
          const program = programOf(request)
          if (!program) throw new AppError('unauthorized')
          if (Array.isArray(body)) {
            throw new AppError('bad_request', 'Send one message per request, not a list.')
          }
          // The tool's own requests take turns of this address again.
          leaveSiteQueue(request)
          // The first agent loads it: 10 MB that a server without agents does not need.
          const { answerMessage } = await import('./conversation.ts')
          const answer = await answerMessage(body, {
            publicUrl,
            scope: program.scope,
            headers: headersOf(request),
            calls: new InnerCalls(request, actor, inject),
            log: (err) => request.log.error({ err }, 'a tool failed'),
          })
          const text = await answer.text()
          return reply
            .code(answer.status)
            .headers(Object.fromEntries(answer.headers))
            .send(text || undefined)
        },
      )
    },
  }
}

/** A 401 says where an agent can ask for a token (RFC 9728 §5.1). */
function tellWhereToAsk(reply: FastifyReply, publicUrl: string) {
  if (reply.statusCode !== 401) return
  const given = `${reply.getHeader('www-authenticate') ?? 'Bearer'}`
  const metadata = `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource${PATH}"`
  reply.header('www-authenticate', `${given}${given.includes('=') ? ',' : ''} ${metadata}`)
}

/**
 * A page whose name was turned to this server's address after it was loaded (DNS rebinding) would ask with
 * its own name. A trusted proxy in front of us knows its names itself.
 */
function fromUs({ publicUrl, trustProxy }: AgentsRoomDeps['config']) {
  const origins = trustedOrigins(publicUrl)
  const names = new Set([new URL(publicUrl).hostname, ...LOOPBACK])
  return async ({ headers: { origin, host } }: FastifyRequest) => {
    const name = URL.parse(`http://${host}`)?.hostname ?? ''
    const isOurs = trustProxy !== false || names.has(name)
    if (!isOurs || (origin && !origins.includes(origin))) throw new AppError('forbidden')
  }
}

function headersOf({ headers }: FastifyRequest): Record<string, string> {
  const given = HEADERS.flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  return Object.fromEntries(given)
}
