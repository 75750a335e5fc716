import { hash, randomBytes, randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignInAnswer, User } from '#contract/accounts.ts'
import type { AuditEvent } from '#contract/audit.ts'
import { DAY_MS } from '#contract/time.ts'
import { recordEvent } from '../../audit/audit-store.ts'
import { type Clock, isAhead } from '../../clock.ts'
import type { Db } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import type { Mailer } from '../../mail/mail-room.ts'
import { type Auth, SESSION_DAYS } from '../auth.ts'
import { newDeviceLetter } from '../letters.ts'
import { originOf } from '../origin.ts'
import { type CookieSettings, readCookie, setCookie } from '../sessions/cookies.ts'
import { type AccountRow, findAccount, lockUser, passwordHashOf } from '../users-store.ts'
import { hasDevices, isKnownDevice, rememberDevice } from './known-devices-store.ts'
import { spendChallenge } from './passkeys/used-challenges-store.ts'
import { isLinked, keepIdToken } from './provider/provider-store.ts'
import { hasSecondFactor } from './second-factor/second-factor-store.ts'

/** By what somebody proved who they are. A passkey with user verification is two factors in one. */
export type Way = 'password' | 'passkey' | 'link' | 'provider' | 'sign-up'

/** A sign-in that waits for its second factor. `password` is a mark of the one that counted then. */
export type Challenge = { userId: string; id: string; password: string; until: number }

/** Who came, and by what. */
export type Proved = {
  account: AccountRow
  way: Way
  /** Of the password that was given, if there was one */
  passwordHash?: string | undefined
  /** The provider's, to sign out of it later; empty where it is not kept */
  idToken?: string | undefined
}

/**
 * `password` is the mark of the one that must still count, `isOneStep` without a second step beside. A
 * provider that gave an `idToken` must still be linked.
 */
type Opening = Pick<Proved, 'account' | 'idToken'> & {
  password?: string | undefined
  isOneStep?: boolean
}

export type SignInDeps = {
  auth: Auth
  db: Db
  clock: Clock
  cookies: CookieSettings
  mailer: Mailer
  presentUser: (userId: string) => Promise<User>
  /** Mails the link that proves an account's address. */
  mailProof: (account: AccountRow) => Promise<void>
}

const DAY_S = 24 * 60 * 60
const CHALLENGE_S = 10 * 60
const DEVICE_BYTES = 16
const LETTER_LIFE_MS = 2 * DAY_MS

/**
 * The end of every way to sign in: what is still needed, or a new session in place of the one that
 * this browser had. Password, passkey, mailed link and provider all come here.
 */
export class SignIn {
  readonly #deps: SignInDeps

  constructor(deps: SignInDeps) {
    this.#deps = deps
  }

  /** `account` has proved who it is by `way`. @throws AppError invalid_credentials where that is over meanwhile */
  async complete(
    request: FastifyRequest,
    reply: FastifyReply,
    { account, way, passwordHash, idToken }: Proved,
  ): Promise<SignInAnswer> {
    const { db } = this.#deps
    if (account.mustVerify && !account.emailVerified) {
      await this.#deps.mailProof(account)
      return { next: 'verify-email' }
    }
    const isEnough = way === 'passkey' || way === 'provider' || way === 'sign-up'
    if (!isEnough && (await hasSecondFactor(db, account.id))) {
      await this.#challenge(reply, account.id, passwordHash)
      return { next: 'second-factor' }
    }
    const password = passwordHash === undefined ? undefined : markOf(passwordHash)
    const isOneStep = !isEnough
    const answer = await this.#open(request, reply, { account, password, isOneStep, idToken })
    if (!answer) throw new AppError('invalid_credentials')
    return answer
  }

  /** Who has given a password or link and now owes a code; undefined where nobody or too late. */
  challenged(request: FastifyRequest): Challenge | undefined {
    const { clock, cookies } = this.#deps
    const value = readCookie(request, cookies, 'challenge')
    const [userId, id, password, time] = value?.split(' ') ?? []
    const until = Number(time)
    return userId && id && password && isAhead(until, CHALLENGE_S * 1000, clock())
      ? { userId, id, password, until }
      : undefined
  }

  /**
   * The second factor is right: signs in whom the challenge names, once. After a new password it is
   * over: it may be of somebody who knew the earlier one.
   */
  async finish(request: FastifyRequest, reply: FastifyReply, challenge: Challenge) {
    const { db } = this.#deps
    this.endChallenge(reply)
    const account = await findAccount(db, { id: challenge.userId })
    if (!account || !(await spendChallenge(db, challenge))) return undefined
    return this.#open(request, reply, { account, password: challenge.password })
  }

  endChallenge(reply: FastifyReply) {
    setCookie(reply, this.#deps.cookies, { name: 'challenge', value: '', seconds: 0 })
  }

  /** Whether this browser has signed in to the account before. Strangers' guesses do not lock it out. */
  async isKnown(request: FastifyRequest, userId: string): Promise<boolean> {
    const device = readCookie(request, this.#deps.cookies, 'device')
    return device !== undefined && isKnownDevice(this.#deps.db, userId, device)
  }

  /** @param passwordHash of the password that was given; without one, of the one that counts now */
  async #challenge(reply: FastifyReply, userId: string, passwordHash?: string) {
    const { db, clock, cookies } = this.#deps
    const until = clock().getTime() + CHALLENGE_S * 1000
    const password = markOf(passwordHash ?? (await passwordHashOf(db, userId)))
    const value = [userId, randomUUID(), password, until].join(' ')
    setCookie(reply, cookies, { name: 'challenge', value, seconds: CHALLENGE_S })
  }

  /** @returns undefined where what was proved is over meanwhile */
  async #open(request: FastifyRequest, reply: FastifyReply, opening: Opening) {
    const { auth, db, cookies } = this.#deps
    const { account, idToken } = opening
    const { internalAdapter } = await auth.$context
    const { id, token } = await internalAdapter.createSession(account.id, false, {
      ipAddress: originOf(request).address ?? '',
      userAgent: request.headers['user-agent'] ?? '',
    })
    // Before it is asked what still counts, so that an unlinking either sees this session or is seen.
    if (idToken !== undefined) await keepIdToken(db, id, idToken)
    if (!(await this.#stillCounts(opening))) {
      await internalAdapter.deleteSession(token)
      return undefined
    }
    const earlier = readCookie(request, cookies, 'session')
    if (earlier) await internalAdapter.deleteSession(earlier)
    setCookie(reply, cookies, { name: 'session', value: token, seconds: SESSION_DAYS * DAY_S })
    await this.#notice(request, reply, account)
    return { user: await this.#deps.presentUser(account.id) }
  }

  /**
   * Whether the password is still the same and needs no second step yet, or the provider is still
   * linked. A new password, second step or unlinking ends the sessions that are there, under the same
   * lock: asked after the session is made, so that of two at once each sees the other.
   */
  #stillCounts({ account: { id }, password, isOneStep, idToken }: Opening): Promise<boolean> {
    return transact(this.#deps.db, async (tx) => {
      await lockUser(tx, id)
      if (password !== undefined && password !== markOf(await passwordHashOf(tx, id))) return false
      if (idToken !== undefined && !(await isLinked(tx, id))) return false
      return !(isOneStep && (await hasSecondFactor(tx, id)))
    })
  }

  /** Remembers the browser, and tells the owner of a new one. */
  async #notice(request: FastifyRequest, reply: FastifyReply, account: AccountRow) {
    const { db, clock, cookies, mailer } = this.#deps
    const now = clock()
    const origin = originOf(request)
    const known = readCookie(request, cookies, 'device')
    const device = known ?? randomBytes(DEVICE_BYTES).toString('base64url')
    setCookie(reply, cookies, { name: 'device', value: device, seconds: 400 * DAY_S })
    await transact(db, async (tx) => {
      const isFirst = !(await hasDevices(tx, account.id))
      const isNew = !isFirst && !(await isKnownDevice(tx, account.id, device))
      await rememberDevice(tx, account.id, device, now)
      const event: AuditEvent = isNew ? 'signed-in-new-device' : 'signed-in'
      await recordEvent(tx, { userId: account.id, actor: 'user', event, origin }, now)
      if (!isNew) return
      const letter = newDeviceLetter({ origin, now, publicUrl: cookies.publicUrl })
      const mail = { kind: event, to: account.email, letter, lifeMs: LETTER_LIFE_MS }
      await mailer.queue(tx, mail)
    })
    mailer.soon()
  }
}

/** Tells one password of an account from the next, and nothing about it: it is made of its salted hash. */
const markOf = (passwordHash: string | null) => hash('sha256', passwordHash ?? 'none', 'base64url')
