import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Target } from '../codes/types.ts'
import type { WorkspaceId } from '../database/ids.ts'
import { sendPlainPage } from '../http/plain-page.ts'
import { addressOf } from '../http/policy/client-address.ts'
import { queryOf, targetWith } from './passed-query.ts'
import { type RedirectDeps, stateOf } from './redirect.ts'
import {
  type Contact,
  destinationPage,
  expiredCodePage,
  pausedCodePage,
  unavailablePage,
  unknownCodePage,
  unknownNamePage,
} from './visitor-pages.ts'

type RoutesDeps = RedirectDeps & {
  /** The contact text of the owner of a code; undefined without an answer in time. */
  contactOf: (codeId: string) => Promise<Contact | undefined>
  /** The contact text of an account, for the names that are unknown on its host */
  contactOfAccount: (workspaceId: WorkspaceId) => Promise<Contact | undefined>
  /** Whether the page of an ended code offers to go on */
  expiredCodesContinue: boolean
}

/** The form of all our names: any other is not looked up. */
const NAME = /^[a-z0-9_-]{3,50}$/i
/**
 * The path that a printer, or a program that makes links of texts, has added to: a slash before the name, blanks and
 * marks behind it, or parameters that begin with &.
 */
function meantBy(asked: string): string[] {
  const [path = ''] = asked.replace(/^[\s/]+/, '').split('&', 1)
  const characters = [...path]
  const end = characters.findLastIndex((each) => !MARK.test(each)) + 1
  // A name of another service may end with a mark.
  return [path, characters.slice(0, end).join('')]
}
const MARK = /[\s.,;:!)\]}>'"’”/]/

/** The form of names on a customer's host, where another service may have made them. */
const NAME_ON_SITE = /^[^\s\p{Cc}]{1,200}$/u

/**
 * GET /qr/{custom path or short code}: the redirect. It knows codes and scans, and nothing of
 * accounts and plans: a printed code works whether or not its owner pays.
 */
export async function redirectRoutes(app: FastifyInstance, deps: RoutesDeps) {
  const { throttle, clock } = deps
  const headersOf = ({ request }: FastifyReply) => deps.headers(request.headers.host)
  const page = (reply: FastifyReply, status: number, html: string) =>
    sendPlainPage(reply.headers(headersOf(reply)), status, html)

  function handle(request: FastifyRequest, reply: FastifyReply) {
    const asked = (request.params as { '*': string })['*']
    return follow([asked.replace(/\/$/, ''), ...meantBy(asked)], request, reply)
  }

  /** Goes to the first of these paths that there is. */
  function follow([path, ...others]: string[], request: FastifyRequest, reply: FastifyReply) {
    if (path === undefined) return sayUnknown(request, reply)
    const isPreview = path.endsWith('+')
    const name = isPreview ? path.slice(0, -1) : path
    const site = deps.siteOf.get(request.raw)
    if (others.includes(path) || !(site ? NAME_ON_SITE : NAME).test(name)) {
      return follow(others, request, reply)
    }
    const answer = (target: Target | undefined): FastifyReply =>
      target ? answerBy(target, isPreview, request, reply) : follow(others, request, reply)
    const isCompact = request.url.startsWith('/QR/')
    const asked = site && !isCompact ? name : name.toLowerCase()
    const key = site ? `${site.id}/${asked}` : asked
    const known = throttle.findNow(key, request)
    if (known) return answer(known.target)
    throttle.find(key, request).then(answer, (error) => {
      // No one reads an answer after the visitor has hung up.
      if (!request.socket.destroyed) request.log.error({ err: error }, 'code not looked up')
      page(reply.header('retry-after', '5'), 503, unavailablePage)
    })
    return reply
  }

  /** Redirects, or shows the destination, or says why the code does not work. */
  function answerBy(
    target: Target,
    isPreview: boolean,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    const state = stateOf(target, clock)
    if (state !== 'works') return sayWhy(target, state, reply)
    return isPreview
      ? page(reply, 200, destinationPage(target.url))
      : redirect(target, request, reply)
  }

  /** On a customer's host its owner says where unknown names lead, or the page has the owner's contact. */
  function sayUnknown(request: FastifyRequest, reply: FastifyReply) {
    const site = deps.siteOf.get(request.raw)
    if (!site) return page(reply, 404, unknownCodePage)
    if (site.homeUrl) return reply.headers(headersOf(reply)).redirect(site.homeUrl)
    deps
      .contactOfAccount(site.workspaceId)
      .then((contact) => page(reply, 404, unknownNamePage(contact)))
    return reply
  }

  /** Only such a page reads who owns the code: a redirect knows nothing of accounts. */
  function sayWhy({ id, url }: Target, state: 'paused' | 'expired', reply: FastifyReply) {
    const onward = deps.expiredCodesContinue ? url : undefined
    const text = (contact?: Contact) =>
      state === 'paused' ? pausedCodePage(contact) : expiredCodePage(contact, onward)
    deps.contactOf(id).then((contact) => page(reply, 410, text(contact)))
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
    deps.send(targetWith(target, queryOf(request.url)), visit, reply.raw)
    return reply
  }

  // Compact codes print the whole link in capitals.
  for (const url of ['/qr/*', '/QR/*']) app.route({ method: ['GET', 'HEAD'], url, handler: handle })
}
