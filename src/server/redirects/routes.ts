import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Target, Targets } from './targets.ts'
import {
  destinationPage,
  expiredCodePage,
  pausedCodePage,
  unavailablePage,
  unknownCodePage,
} from './visitor-pages.ts'

export type RedirectsDeps = {
  targets: Targets
  clock: Clock
  /** Takes the scan down; calls back when it is safe to answer. */
  record: (codeId: string, visit: Visit, answer: () => void) => void
}

type Visit = Pick<FastifyRequest['raw'], 'headers'> & { method: string; address: string }

/** No name of ours is longer than 50 characters; what is longer need not be looked up. */
const NAME = /^[a-z0-9_-]{3,50}$/

/**
 * GET /qr/{custom path or short code}: the redirect itself. It knows codes and scans and nothing
 * of accounts or plans: what is printed works whoever pays or does not.
 */
export async function redirectRoutes(app: FastifyInstance, deps: RedirectsDeps) {
  const { targets, clock } = deps

  function answer(request: FastifyRequest, reply: FastifyReply) {
    const path = (request.params as { '*': string })['*'].replace(/\/$/, '')
    const shows = path.endsWith('+')
    const key = (shows ? path.slice(0, -1) : path).toLowerCase()
    if (!NAME.test(key)) return page(reply, 404, unknownCodePage)
    const known = targets.known(key)
    if (known) return act(known.target, shows, request, reply)
    targets.lookUp(key).then(
      (target) => act(target, shows, request, reply),
      (error) => {
        request.log.error({ err: error }, 'code not looked up')
        page(reply.header('retry-after', '5'), 503, unavailablePage)
      },
    )
    return reply
  }

  /** Leads on, or shows to where; whoever comes to a code that leads nowhere now is told why. */
  function act(
    target: Target | undefined,
    shows: boolean,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    if (!target) return page(reply, 404, unknownCodePage)
    if (target.paused) return page(reply, 410, pausedCodePage)
    if (target.expiresAt !== null && clock().getTime() > target.expiresAt) {
      return page(reply, 410, expiredCodePage)
    }
    return shows ? page(reply, 200, destinationPage(target.url)) : follow(target, request, reply)
  }

  function follow(target: Target, request: FastifyRequest, reply: FastifyReply) {
    const { raw } = reply
    const visit = { method: request.method, address: request.ip, headers: request.headers }
    // Written past Fastify's reply: this is the one answer whose every microsecond counts.
    reply.hijack()
    deps.record(target.id, visit, () => {
      raw.writeHead(302, { Location: target.url, 'Cache-Control': 'no-store', 'Content-Length': 0 })
      raw.end()
    })
    return reply
  }

  // Printed links may be all upper case, which makes a smaller symbol.
  for (const url of ['/qr/*', '/QR/*']) app.route({ method: ['GET', 'HEAD'], url, handler: answer })
}

const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

function page(reply: FastifyReply, status: number, html: string) {
  return reply
    .code(status)
    .headers({
      'cache-control': 'no-store',
      'content-security-policy': PAGE_POLICY,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    .type('text/html; charset=utf-8')
    .send(html)
}
