import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../clock.ts'
import { addressOf } from '../http/client-address.ts'
import type { CommonHeaders } from '../http/common-headers.ts'
import { sendPlainPage } from '../http/plain-page.ts'
import type { Target, TargetCache } from './target-cache.ts'
import {
  destinationPage,
  expiredCodePage,
  pausedCodePage,
  unavailablePage,
  unknownCodePage,
} from './visitor-pages.ts'

export type RedirectsDeps = {
  targets: TargetCache
  clock: Clock
  headers: CommonHeaders
  /** Records the scan; calls `answer` when the redirect may go out. */
  record: (codeId: string, visit: Visit, answer: () => void) => void
}

type Visit = Pick<FastifyRequest['raw'], 'headers'> & { method: string; address: string }

/** The form of all our names: any other is not looked up. */
const NAME = /^[a-z0-9_-]{3,50}$/

/**
 * GET /qr/{custom path or short code}: the redirect. It knows codes and scans, and nothing of
 * accounts and plans: a printed code works whether or not somebody pays.
 */
export async function redirectRoutes(app: FastifyInstance, deps: RedirectsDeps) {
  const { targets, clock } = deps
  const redirectHeaders = Object.entries({ ...REDIRECT_HEADERS, ...deps.headers }).flat()
  const page = (reply: FastifyReply, status: number, html: string) =>
    sendPlainPage(reply.headers(deps.headers), status, html)

  function handle(request: FastifyRequest, reply: FastifyReply) {
    const path = (request.params as { '*': string })['*'].replace(/\/$/, '')
    const isPreview = path.endsWith('+')
    const key = (isPreview ? path.slice(0, -1) : path).toLowerCase()
    if (!NAME.test(key)) return page(reply, 404, unknownCodePage)
    const known = targets.get(key)
    if (known) return answerBy(known.target, isPreview, request, reply)
    targets.lookUp(key).then(
      (target) => answerBy(target, isPreview, request, reply),
      (error) => {
        request.log.error({ err: error }, 'code not looked up')
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
    if (target.paused) return page(reply, 410, pausedCodePage)
    if (target.expiresAt !== null && clock().getTime() > target.expiresAt) {
      return page(reply, 410, expiredCodePage)
    }
    return isPreview
      ? page(reply, 200, destinationPage(target.url))
      : follow(target, request, reply)
  }

  function follow(target: Target, request: FastifyRequest, reply: FastifyReply) {
    const { raw } = reply
    const visit = { method: request.method, address: addressOf(request), headers: request.headers }
    // Written without Fastify's reply: on this answer every microsecond counts.
    reply.hijack()
    deps.record(target.id, visit, () => {
      raw.writeHead(302, [...redirectHeaders, 'Location', target.url])
      raw.end()
    })
    return reply
  }

  // Compact codes print the whole link in capitals.
  for (const url of ['/qr/*', '/QR/*']) app.route({ method: ['GET', 'HEAD'], url, handler: handle })
}

const REDIRECT_HEADERS = { 'Cache-Control': 'no-store', 'Content-Length': '0' }
