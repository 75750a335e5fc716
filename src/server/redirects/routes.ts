import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Target } from '../codes/types.ts'
import { sendPlainPage } from '../http/plain-page.ts'
import { addressOf } from '../http/policy/client-address.ts'
import type { CommonHeaders } from '../http/policy/site-policy.ts'
import type { LookupThrottle } from './lookup-throttle.ts'
import { type SendRedirect, stateOf } from './redirect.ts'
import {
  type Contact,
  destinationPage,
  expiredCodePage,
  pausedCodePage,
  unavailablePage,
  unknownCodePage,
} from './visitor-pages.ts'

export type RedirectsDeps = {
  throttle: LookupThrottle
  clock: Clock
  headers: CommonHeaders
  send: SendRedirect
  /** The contact text of the owner of a code; undefined without an answer in time. */
  contactOf: (codeId: string) => Promise<Contact | undefined>
}

/** The form of all our names: any other is not looked up. */
const NAME = /^[a-z0-9_-]{3,50}$/

/**
 * GET /qr/{custom path or short code}: the redirect. It knows codes and scans, and nothing of
 * accounts and plans: a printed code works whether or not its owner pays.
 */
export async function redirectRoutes(app: FastifyInstance, deps: RedirectsDeps) {
  const { throttle, clock } = deps
  const page = (reply: FastifyReply, status: number, html: string) =>
    sendPlainPage(reply.headers(deps.headers), status, html)

  function handle(request: FastifyRequest, reply: FastifyReply) {
    const path = (request.params as { '*': string })['*'].replace(/\/$/, '')
    const isPreview = path.endsWith('+')
    const key = (isPreview ? path.slice(0, -1) : path).toLowerCase()
    if (!NAME.test(key)) return page(reply, 404, unknownCodePage)
    const known = throttle.findNow(key, request)
    if (known) return answerBy(known.target, isPreview, request, reply)
    throttle.find(key, request).then(
      (target) => answerBy(target, isPreview, request, reply),
      (error) => {
        // No one reads an answer after the visitor has hung up.
        if (!request.socket.destroyed) request.log.error({ err: error }, 'code not looked up')
        page(reply.header('retry-after', '5'), 503, unavailablePage)
      },
    )
    return reply
  }

  /** Redirects, or shows the destination, or says why the code does not work. */
  function answerBy(
    target: Target | undefined,
    isPreview: boolean,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    if (!target) return page(reply, 404, unknownCodePage)
    const state = stateOf(target, clock)
    if (state !== 'works')
      return sayWhy(target, state === 'paused' ? pausedCodePage : expiredCodePage, reply)
    return isPreview
      ? page(reply, 200, destinationPage(target.url))
      : redirect(target, request, reply)
  }

  /** Only such a page reads who owns the code: a redirect knows nothing of accounts. */
  function sayWhy(target: Target, text: (contact?: Contact) => string, reply: FastifyReply) {
    deps.contactOf(target.id).then((contact) => page(reply, 410, text(contact)))
    return reply
  }

  function redirect(target: Target, request: FastifyRequest, reply: FastifyReply) {
    const visit = {
      method: request.method,
      address: addressOf(request),
      peer: request.socket.remoteAddress,
      headers: request.headers,
    }
    reply.hijack()
    deps.send(target, visit, reply.raw)
    return reply
  }

  // Compact codes print the whole link in capitals.
  for (const url of ['/qr/*', '/QR/*']) app.route({ method: ['GET', 'HEAD'], url, handler: handle })
}
