import type { FastifyReply, FastifyRequest } from 'fastify'
import { PAGE_OF } from '#contract/page-of.ts'
import type { PersonId } from '../../database/ids.ts'
import type { Db } from '../../database/schema.ts'
import { AppError } from '../../http/errors.ts'
import type { RoomDeps } from '../../room.ts'
import { readCookie, setCookie } from './cookies.ts'
import {
  endSession,
  findDevice,
  findSession,
  isOver,
  noteSessionUse,
  SESSION_MS,
  type Session,
} from './sessions-store.ts'

/** The key that a request has, as `Authorization: Bearer …` (RFC 6750 §2.1); undefined without one. */
export function bearerOf({ headers }: FastifyRequest): string | undefined {
  const [scheme, ...rest] = headers.authorization?.split(' ') ?? []
  return scheme?.toLowerCase() === 'bearer' ? rest.join(' ').trim() : undefined
}

type Deps = Pick<RoomDeps, 'db' | 'publicUrl' | 'secret'>

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
    const hasKey = bearerOf(request) !== undefined
    const token = hasKey ? undefined : readCookie(request, this.#deps, 'session')
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
    const seconds = SESSION_MS / 1000
    setCookie(reply, this.#deps, { name: 'session', value: token, seconds })
  }

  /** Removes the browser's cookie. */
  take(reply: FastifyReply) {
    setCookie(reply, this.#deps, { name: 'session', value: '', seconds: 0 })
  }

  /** The name by which accounts know this browser, if it has signed in before. */
  deviceOf(request: FastifyRequest): string | undefined {
    return readCookie(request, this.#deps, 'device')
  }

  /** Whether this browser has signed in to the account before. Guesses of strangers do not lock it out. */
  async isKnown(request: FastifyRequest, userId: PersonId): Promise<boolean> {
    const device = this.deviceOf(request)
    return device !== undefined && (await findDevice(this.#deps.db, userId, device)).isKnown
  }

  /** Ends the session that this browser has, if any. */
  async end(request: FastifyRequest, db: Db = this.#deps.db): Promise<void> {
    const token = readCookie(request, this.#deps, 'session')
    if (token) await endSession(db, token)
  }
}

/**
 * Whether a request comes from a page that was drawn for another account. Our pages name theirs, other
 * callers name none. The cookie alone is not enough, because the whole browser shares it: a page of one
 * account would make its codes in the one that signed in after it.
 */
export function isOfOther({ headers }: FastifyRequest, userId: PersonId): boolean {
  return headers[PAGE_OF] !== undefined && headers[PAGE_OF] !== userId
}
