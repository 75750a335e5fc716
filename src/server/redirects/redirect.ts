import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import type { ScanRecorder } from '../analytics/types.ts'
import type { Clock } from '../clock.ts'
import type { Target } from '../codes/types.ts'
import type { Config } from '../config.ts'
import type { WorkspaceId } from '../database/ids.ts'
import { PAGE_HEADERS } from '../http/plain-page.ts'
import { addressFinder } from '../http/policy/client-address.ts'
import { commonHeaders } from '../http/policy/site-policy.ts'
import type { Shortcut } from '../http/server.ts'
import { orMade } from '../or-made.ts'
import { type Asked, type Decision, decide, nameAsked } from './decide.ts'
import type { LookupThrottle } from './lookup-throttle.ts'
import type { Ordinal } from './scan-counts.ts'
import type { TargetCache } from './target-cache.ts'
import type { DomainsByHost } from './types.ts'
import {
  type Contact,
  destinationPage,
  earlyCodePage,
  expiredCodePage,
  overCodePage,
  pausedCodePage,
  unavailablePage,
  unknownCodePage,
  unknownNamePage,
} from './visitor-pages.ts'
import { type Words, wordsFor } from './visitor-words.ts'

export type ScanDeps = { config: Config; clock: Clock; recorder: ScanRecorder }

const REDIRECT_HEADERS = { 'Cache-Control': 'no-store', 'Content-Length': '0' }

/**
 * Reads who scans, decides what that scan gets, and leads on if it is a destination. Returns what it gets.
 * Written without the framework's reply: on this answer every microsecond counts.
 */
export function scanAnswerer({ config, clock, recorder }: ScanDeps) {
  const common = commonHeaders(config)
  const addressOf = addressFinder(config.trustProxy)
  const linesOf = new Map<object, string[]>()
  function linesAt(host: string | undefined): string[] {
    const headers = common(host)
    return orMade(linesOf, headers, () =>
      Object.entries({ ...REDIRECT_HEADERS, ...headers }).flat(),
    )
  }
  return (target: Target, asked: Asked, response: ServerResponse, ordinal?: Ordinal): Decision => {
    const { method = '', headers, socket } = response.req
    const now = clock().getTime()
    const address = addressOf(response.req)
    const reading = recorder.read({ method, address, peer: socket.remoteAddress, headers }, now)
    const languages = headers['accept-language']
    const decision = decide(target, asked, { reading, languages, ordinal }, now)
    if (decision.kind !== 'url') return decision
    const { url } = decision
    const lead = () => {
      response.writeHead(302, [...linesAt(headers.host), 'Location', url])
      response.end()
    }
    recorder.record(target.id, reading, lead, now, decision)
    return decision
  }
}

export type RedirectDeps = ScanDeps & {
  log: FastifyBaseLogger
  targets: TargetCache
  throttle: LookupThrottle
  domains: DomainsByHost
  /** The contact text of an account; undefined without an answer in time. */
  contactOf: (workspaceId: WorkspaceId) => Promise<Contact | undefined>
  /** The number of a scan of a code that counts them */
  countScan: (codeId: string, isPerson: boolean) => Promise<Ordinal>
}

/** The page of a code that leads nowhere */
function pageOf(words: Words, decision: Decision, contact?: Contact, onward?: string): string {
  if (decision.kind === 'early') return earlyCodePage(words, new Date(decision.startsAt), contact)
  if (decision.kind === 'paused') return pausedCodePage(words, contact)
  if (decision.kind === 'over') return overCodePage(words, contact)
  return expiredCodePage(words, contact, onward)
}

const ROBOTS = 'User-agent: *\nAllow: /\n'

/**
 * The redirect, before the framework sees the request: a quarter less work for the thread that all share. It knows
 * codes and scans, and nothing of accounts and plans: a printed code works whether or not its owner pays.
 */
export function redirect(deps: RedirectDeps): Shortcut {
  const { config, log, targets, throttle, domains, contactOf, countScan } = deps
  const common = commonHeaders(config)
  const addressOf = addressFinder(config.trustProxy)
  const answerScan = scanAnswerer(deps)

  const begin = (response: ServerResponse, status: number, headers: Record<string, string>) =>
    response.writeHead(status, { ...common(response.req.headers.host), ...headers })

  /** Sends a page in the language of its reader. */
  function sendPage(response: ServerResponse, status: number, page: (words: Words) => string) {
    const words = wordsFor(response.req.headers['accept-language'])
    const html = page(words)
    begin(response, status, {
      ...PAGE_HEADERS,
      vary: 'Accept-Language',
      'content-language': words.language,
      'content-length': `${Buffer.byteLength(html)}`,
    }).end(html)
  }

  /** Asks the visitor to try again. */
  function sayWaiting(response: ServerResponse, error: unknown) {
    // No one reads an answer after the visitor has hung up.
    if (!response.req.socket.destroyed) log.error({ err: error }, 'code not looked up')
    if (response.headersSent) return
    response.setHeader('retry-after', '5')
    sendPage(response, 503, unavailablePage)
  }

  /** Goes to the first of these names that there is. */
  function follow(asked: Asked, response: ServerResponse) {
    const { key } = asked
    const fresh = targets.get(key)
    if (fresh || key === '') return answer(fresh?.target, asked, response)
    const raw = response.req
    const found = throttle.find(key, { ip: addressOf(raw), socket: raw.socket, raw })
    if ('target' in found) return answer(found.target, asked, response)
    found
      .then((target) => answer(target, asked, response))
      .catch((error) => sayWaiting(response, error))
  }

  function answer(
    target: Target | undefined,
    asked: Asked,
    response: ServerResponse,
    ordinal?: Ordinal,
  ) {
    const decision = target ? answerScan(target, asked, response, ordinal) : decide(target, asked)
    if (target && decision.kind === 'uncounted') {
      countScan(target.id, decision.isPerson)
        .then((counted) => answer(target, asked, response, counted))
        .catch((error) => sayWaiting(response, error))
    } else if (target) show(decision, target, response)
    else if (asked.otherwise) follow(asked.otherwise, response)
    else if (decision.kind === 'home') sendOn(decision.url, response)
    else if (asked.domain) {
      const contact = contactOf(asked.domain.workspaceId)
      contact.then((text) => sendPage(response, 404, (words) => unknownNamePage(words, text)))
    } else sendPage(response, 404, unknownCodePage)
  }

  /** Leads to a page that counts no scan. */
  function sendOn(location: string, response: ServerResponse) {
    const length = response.req.method === 'GET' && { 'content-length': '0' }
    begin(response, 302, { location, 'cache-control': 'no-store', ...length }).end()
  }

  /** Only the page of a code that does not work reads its owner's contact: a redirect knows nothing of accounts. */
  function show(decision: Decision, { ownerId, destination }: Target, response: ServerResponse) {
    if (decision.kind === 'url' || decision.kind === 'uncounted') return
    if (decision.kind === 'fallback') return sendOn(decision.url, response)
    const { status } = decision
    if (decision.kind === 'shown') {
      return sendPage(response, status, (words) => destinationPage(words, decision))
    }
    const onward = config.expiredCodesContinue ? destination.url : undefined
    contactOf(ownerId).then((contact) => {
      sendPage(response, status, (words) => pageOf(words, decision, contact, onward))
    })
  }

  /** On a customer's domain there is nothing but names: other requests get no session, page or API. */
  function refuseOnDomain({ method, url }: IncomingMessage, response: ServerResponse): boolean {
    if (method !== 'GET' && method !== 'HEAD') {
      begin(response, 405, { Allow: 'GET, HEAD', 'Content-Length': '0' }).end()
    } else if (url === '/robots.txt') {
      begin(response, 200, { 'Content-Type': 'text/plain' }).end(ROBOTS)
    }
    return response.headersSent
  }

  return (request, response) => {
    try {
      const domain = domains.get(request.headers.host)
      if (domain && refuseOnDomain(request, response)) return true
      const { method, url = '/' } = request
      const isRead = method === 'GET' || method === 'HEAD'
      // No name of ours is below /api/, and most requests are.
      const mayAsk = isRead && (domain !== undefined || !url.startsWith('/api/'))
      const asked = mayAsk ? nameAsked(domain, url) : undefined
      if (asked) follow(asked, response)
      return asked !== undefined
    } catch (error) {
      sayWaiting(response, error)
      return true
    }
  }
}
