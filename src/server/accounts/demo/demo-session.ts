import type { FastifyReply, FastifyRequest } from 'fastify'
import { DAY_MS } from '#contract/time.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/schema.ts'
import { AppError } from '../../http/errors.ts'
import { type CookieSettings, readCookie, setCookie } from '../sessions/cookies.ts'
import { findAccount } from '../users-store.ts'

const COOKIE = 'demo'
const READS = new Set(['GET', 'HEAD'])

export type DemoSessionDeps = {
  db: Db
  clock: Clock
  cookies: CookieSettings
  /** The demo's account; undefined on a server without a live demo */
  demo: DemoAccount | undefined
}

export type DemoAccount = { email: string; hasCodes: (userId: string) => Promise<boolean> }

/**
 * The browsers that look at the live demo. A signed cookie says so, and no row does: as many as like
 * can look, and none of them leaves anything. A session of an account of one's own comes first.
 */
export class DemoSession {
  readonly #deps: DemoSessionDeps
  #found: string | undefined

  constructor(deps: DemoSessionDeps) {
    this.#deps = deps
  }

  /** The demo's account, once it and its codes are made. */
  async userId(): Promise<string | undefined> {
    const { db, demo } = this.#deps
    if (!demo || this.#found) return this.#found
    const account = await findAccount(db, { email: demo.email })
    if (account && (await demo.hasCodes(account.id))) this.#found = account.id
    return this.#found
  }

  /** Whether this is the demo's account, which the browser that asks has been given. */
  isDemo(userId: string): boolean {
    return userId === this.#found
  }

  begin(reply: FastifyReply) {
    const { clock, cookies } = this.#deps
    const value = String(clock().getTime() + DAY_MS)
    setCookie(reply, cookies, { name: COOKIE, value, seconds: DAY_MS / 1000 })
  }

  /** The demo's account, for a browser that looks at it. */
  async of(request: FastifyRequest): Promise<string | undefined> {
    const { clock, cookies, demo } = this.#deps
    if (!demo) return undefined
    const until = Number(readCookie(request, cookies, COOKIE) ?? 0)
    return until > clock().getTime() ? this.userId() : undefined
  }

  /** The same for a call. @throws AppError demo_read_only for all that is no read */
  async reading(request: FastifyRequest): Promise<string | undefined> {
    const userId = await this.of(request)
    if (userId !== undefined && !READS.has(request.method)) throw new AppError('demo_read_only')
    return userId
  }

  /** Signing out ends the look, too. */
  end(request: FastifyRequest, reply: FastifyReply) {
    const { cookies, demo } = this.#deps
    if (!demo || readCookie(request, cookies, COOKIE) === undefined) return
    setCookie(reply, cookies, { name: COOKIE, value: '', seconds: 0 })
  }
}
