import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import type { ScanRecorder } from '../analytics/types.ts'
import type { Clock } from '../clock.ts'
import type { Target } from '../codes/types.ts'
import type { Config } from '../config.ts'
import type { WorkspaceId } from '../database/ids.ts'
import { AppError } from '../http/errors.ts'
import { FORM_PAGE_HEADERS, PAGE_HEADERS } from '../http/plain-page.ts'
import { addressFinder } from '../http/policy/client-address.ts'
import { commonHeaders } from '../http/policy/site-policy.ts'
import type { Shortcut } from '../http/server.ts'
import { orMade } from '../or-made.ts'
import { type Asked, type Decision, decide, nameAsked, type Visitor } from './decide.ts'
import type { LookupThrottle } from './lookup-throttle.ts'
import { type PasswordDeps, passwordTries } from './password-tries.ts'
import type { Ordinal } from './scan-counts.ts'
import type { TargetCache } from './target-cache.ts'
import type { DomainsByHost } from './types.ts'
import { type Contact, type PasswordPage, type VisitorPage, visitorPage } from './visitor-pages.ts'
import { wordsFor } from './visitor-words.ts'

export type ScanDeps = { config: Config; clock: Clock; recorder: ScanRecorder }

/** Facts about a visitor that the request does not have */
type Known = Pick<Visitor, 'ordinal' | 'hasPassword'>

const isForm = ({ req }: ServerResponse) => req.method === 'POST'

/** After a form the browser asks for the destination with GET. */
const statusOf = (method: string | undefined) => (method === 'POST' ? 303 : 302)

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
  return (target: Target, asked: Asked, response: ServerResponse, known: Known = {}): Decision => {
    const { method = '', headers: sent, socket } = response.req
    // A form comes from our own page.
    const headers = method === 'POST' ? { ...sent, referer: undefined } : sent
    const { ordinal, hasPassword } = known
    const now = clock().getTime()
    const address = addressOf(response.req)
    const reading = recorder.read({ method, address, peer: socket.remoteAddress, headers }, now)
    const languages = headers['accept-language']
    const decision = decide(target, asked, { reading, languages, ordinal, hasPassword }, now)
    if (decision.kind !== 'url') return decision
    const { url } = decision
    const lead = () => {
      response.writeHead(statusOf(method), [...linesAt(headers.host), 'Location', url])
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
  verifyPassword: PasswordDeps['verifyPassword']
}

/** Only the page of a code with a password sends a form. */
const METHODS = new Set<string | undefined>(['GET', 'HEAD', 'POST'])

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
  const tryPassword = passwordTries(deps)

  const visitorOf = (raw: IncomingMessage) => ({ ip: addressOf(raw), socket: raw.socket, raw })

  const begin = (response: ServerResponse, status: number, headers: Record<string, string>) =>
    response.writeHead(status, { ...common(response.req.headers.host), ...headers })

  /** Sends a page in the language of its reader. */
  function sendPage(response: ServerResponse, status: number, page: VisitorPage, by?: Contact) {
    const words = wordsFor(response.req.headers['accept-language'])
    const html = visitorPage(words, page, by)
    begin(response, status, {
      ...(page.kind === 'locked' ? FORM_PAGE_HEADERS : PAGE_HEADERS),
      vary: 'Accept-Language',
      'content-language': words.language,
      'content-length': `${Buffer.byteLength(html)}`,
    }).end(html)
  }

  /** Asks the visitor to try again. */
  function sayWaiting(response: ServerResponse, error: unknown) {
    // No one reads an answer after the visitor has hung up; an AppError says that a queue is full.
    const isFault = !response.req.socket.destroyed && !(error instanceof AppError)
    if (isFault) log.error({ err: error }, 'code not looked up')
    if (response.headersSent) return
    response.setHeader('retry-after', '5')
    sendPage(response, 503, { kind: 'unavailable' })
  }

  /** Goes to the first of these names that there is, and sends its answer. */
  async function follow(asked: Asked, response: ServerResponse): Promise<void> {
    const { key, otherwise, domain } = asked
    const isNamed = key !== ''
    const fresh = targets.get(key) ?? (isNamed && throttle.find(key, visitorOf(response.req)))
    // At once if it is known: a scan does not wait for another turn.
    const target = fresh && ('target' in fresh ? fresh.target : await fresh)
    if (target) {
      if (isForm(response) && target.passwordHash === null) refuseMethod(response)
      else await give(target, asked, response)
    } else if (otherwise) await follow(otherwise, response)
    else if (isForm(response)) refuseMethod(response)
    else await show(decide(undefined, asked), response, domain?.workspaceId)
  }

  async function give(target: Target, asked: Asked, response: ServerResponse) {
    let known: Known = {}
    for (;;) {
      const decision = answerScan(target, asked, response, known)
      if (decision.kind === 'uncounted') {
        known = { ...known, ordinal: await countScan(target.id, decision.isPerson) }
      } else if (decision.kind === 'locked' && isForm(response)) {
        const refused = await tryPassword(visitorOf(response.req), target)
        if (refused) return askPassword(refused, response)
        known = { hasPassword: true }
      } else return show(decision, response, target.ownerId, target)
    }
  }

  /** Leads to a page that counts no scan. */
  function sendOn(location: string, response: ServerResponse) {
    const { method } = response.req
    const length = method !== 'HEAD' && { 'content-length': '0' }
    begin(response, statusOf(method), { location, 'cache-control': 'no-store', ...length }).end()
  }

  /** Shows the form for a code's password: in answer to a scan, or to a wrong try. */
  function askPassword(page: PasswordPage, response: ServerResponse) {
    const { status, retryAfterS } = page
    if (retryAfterS !== undefined) response.setHeader('retry-after', `${retryAfterS}`)
    sendPage(response, status, page)
  }

  /** Only the page of a code that does not work reads its owner's contact: a redirect knows nothing of accounts. */
  async function show(
    decision: Decision,
    response: ServerResponse,
    owner?: WorkspaceId,
    target?: Target,
  ) {
    if (decision.kind === 'url' || decision.kind === 'uncounted') return
    const { kind, status } = decision
    if (kind === 'home' || kind === 'fallback') return sendOn(decision.url, response)
    if (kind === 'locked') return askPassword(decision, response)
    if (kind === 'shown') return sendPage(response, status, decision)
    const page = target && kind === 'expired' ? { kind, url: onwardFrom(target) } : decision
    sendPage(response, status, page, owner && (await contactOf(owner)))
  }

  /** The page of an expired code leads on only if nothing but the plan's end is against it. */
  function onwardFrom({ destination, passwordHash, isCounted, startsAt, endsAt }: Target) {
    const isHeld = passwordHash !== null || isCounted || startsAt !== null || endsAt !== null
    return config.expiredCodesContinue && !isHeld ? destination.url : undefined
  }

  function refuseMethod(response: ServerResponse) {
    begin(response, 405, { Allow: 'GET, HEAD', 'Content-Length': '0' }).end()
  }

  /** On a customer's domain there is nothing but names: other requests get no session, page or API. */
  function refuseOnDomain({ method, url }: IncomingMessage, response: ServerResponse): boolean {
    if (!METHODS.has(method)) refuseMethod(response)
    else if (url === '/robots.txt') {
      begin(response, 200, { 'Content-Type': 'text/plain' }).end(ROBOTS)
    }
    return response.headersSent
  }

  return (request, response) => {
    try {
      const domain = domains.get(request.headers.host)
      if (domain && refuseOnDomain(request, response)) return true
      const { method, url = '/' } = request
      // No name of ours is below /api/, and most requests are.
      const mayAsk = METHODS.has(method) && (domain !== undefined || !url.startsWith('/api/'))
      const asked = mayAsk ? nameAsked(domain, url) : undefined
      if (asked) follow(asked, response).catch((error) => sayWaiting(response, error))
      return asked !== undefined
    } catch (error) {
      sayWaiting(response, error)
      return true
    }
  }
}
