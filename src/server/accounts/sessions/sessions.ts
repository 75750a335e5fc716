import type { FastifyReply, FastifyRequest } from 'fastify'
import { PAGE_OF } from '#contract/page-of.ts'
import type { Db } from '../../database/schema.ts'
import { AppError } from '../../http/errors.ts'
import { bearerOf } from '../keys/key-calls.ts'
import { type CookieSettings, readCookie, setCookie } from './cookies.ts'
import {
  endSession,
  findSession,
  isOver,
  noteSessionUse,
  SESSION_MS,
  type Session,
} from './sessions-store.ts'

type Deps = { db: Db; cookies: CookieSettings }

/**
 * The sessions of browsers. A cookie has the token of a session and its signature: a forged one is
 * refused without the database, as any other cookie of ours is.
 */
export class Sessions {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * The session that a request comes with; null for a visitor. A key decides alone, whether there is a
   * cookie or not. Renews the cookie when it is due, and removes that of a session that is over.
   * @throws AppError other_account for a page of another account
   */
  async current(request: FastifyRequest, reply: FastifyReply): Promise<Session | null> {
    const { db } = this.#deps
    const token = bearerOf(request) === undefined ? this.#token(request) : undefined
    if (token === undefined) return null
    const session = await findSession(db, token)
    if (session && !isOver(session)) {
      if (isOfOther(request, session.userId)) throw new AppError('other_account')
      const isNoted = await noteSessionUse(db, session)
      if (isNoted) this.give(reply, token)
      if (isNoted !== undefined) return session
    }
    if (session) await endSession(db, token)
    this.take(reply)
    return null
  }

  /** Gives the browser the token of its session. */
  give(reply: FastifyReply, token: string) {
    const { cookies } = this.#deps
    setCookie(reply, cookies, { name: 'session', value: token, seconds: SESSION_MS / 1000 })
  }

  /** Removes the browser's cookie. */
  take(reply: FastifyReply) {
    setCookie(reply, this.#deps.cookies, { name: 'session', value: '', seconds: 0 })
  }

  /** Ends the session that this browser has, if any. */
  async end(request: FastifyRequest, db: Db = this.#deps.db): Promise<void> {
    const token = this.#token(request)
    if (token) await endSession(db, token)
  }

  #token(request: FastifyRequest): string | undefined {
    return readCookie(request, this.#deps.cookies, 'session')
  }
}

/**
 * A page of ours names the account that it was drawn for. Its cookie alone would not do: the whole
 * browser shares it, so that a page of one account would make its codes in the one that signed in
 * after it. Other callers name none.
 */
export function isOfOther({ headers }: FastifyRequest, userId: string): boolean {
  return headers[PAGE_OF] !== undefined && headers[PAGE_OF] !== userId
}
