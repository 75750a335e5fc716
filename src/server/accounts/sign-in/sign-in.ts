import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignInAnswer, User } from '#contract/accounts.ts'
import type { AuditEvent } from '#contract/audit.ts'
import { DAY_MS } from '#contract/time.ts'
import { recordEvent } from '../../audit.ts'
import type { Clock } from '../../clock.ts'
import type { Db, Tables, Tx } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import type { Mailer } from '../../mail/mail-room.ts'
import { newDeviceLetter } from '../letters.ts'
import { originOf } from '../origin.ts'
import { type CookieSettings, readCookie, setCookie } from '../sessions/cookies.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { createSession } from '../sessions/sessions-store.ts'
import { type AccountRow, findAccount, lockUser, passwordHashOf } from '../users-store.ts'
import { isLinked, keepIdToken } from './provider/provider-store.ts'
import { hasSecondFactor } from './second-factor/second-factor-store.ts'
import {
  addSignIn,
  countAttempt,
  endSignIn,
  hasDevices,
  isKnownDevice,
  rememberDevice,
  SIGN_IN_MS,
  type WaitingSignIn,
} from './sign-ins-store.ts'

/**
 * The first step of a sign-in. An account with a second step asks for a code after a password or a
 * mailed link; a passkey with user verification is two factors in one.
 */
export type Method = Tables['sign_ins']['method'] | 'passkey' | 'provider' | 'sign-up'

/** A first step that is done. */
export type Proved = {
  account: AccountRow
  method: Method
  /** Of the password that was given, if there was one */
  passwordHash?: string | undefined
  /** The provider's, to sign out of it later; empty if it is not kept */
  idToken?: string | undefined
}

export type SignInDeps = {
  sessions: Sessions
  db: Db
  clock: Clock
  cookies: CookieSettings
  mailer: Mailer
  presentUser: (userId: string) => Promise<User>
  /** Mails the link that proves an account's address. */
  mailProof: (account: AccountRow) => Promise<void>
}

const COOKIE = 'challenge'
const DEVICE_BYTES = 16
const LETTER_LIFE_MS = 2 * DAY_MS

/**
 * The steps of a sign-in. Password, passkey, mailed link and provider are its first step, each of which
 * ends in `complete`: with a session, or with a row of `sign_ins` that waits for a code. `finish` makes
 * that a session. A session takes the place of the one that this browser had.
 */
export class SignIn {
  readonly #deps: SignInDeps

  constructor(deps: SignInDeps) {
    this.#deps = deps
  }

  /**
   * The first step is done. A new password, second step or unlinking takes the same lock, so that what
   * was proved counts when the session is made, or not at all.
   * @throws AppError invalid_credentials if what was proved has ended since
   */
  async complete(
    request: FastifyRequest,
    reply: FastifyReply,
    proved: Proved,
  ): Promise<SignInAnswer> {
    const { db, clock, cookies } = this.#deps
    const { account, method } = proved
    const { id } = account
    if (account.mustVerify && !account.emailVerified) {
      await this.#deps.mailProof(account)
      return { next: 'verify-email' }
    }
    const device = this.#deviceOf(request)
    const done = await transact(db, async (tx) => {
      await lockUser(tx, id)
      if (!(await isStillProved(tx, proved))) throw new AppError('invalid_credentials')
      const takesCode = method === 'password' || method === 'link'
      return takesCode && (await hasSecondFactor(tx, id))
        ? { waiting: await addSignIn(tx, { userId: id, method }, clock()) }
        : { token: await this.#open(tx, request, proved, device) }
    })
    if (done.token !== undefined) return this.#welcome(reply, { ...done, id, device })
    const seconds = SIGN_IN_MS / 1000
    setCookie(reply, cookies, { name: COOKIE, value: done.waiting, seconds })
    return { next: 'second-factor' }
  }

  /** The sign-in of this browser that waits for a code, with one attempt more. */
  async attempt(request: FastifyRequest): Promise<WaitingSignIn | undefined> {
    const { db, clock, cookies } = this.#deps
    const token = readCookie(request, cookies, COOKIE)
    return token === undefined ? undefined : countAttempt(db, token, clock())
  }

  /** The code is right: signs in, once. @returns undefined if the sign-in has ended since */
  async finish(request: FastifyRequest, reply: FastifyReply, waiting: WaitingSignIn) {
    const { user_id: id, token } = waiting
    const device = this.#deviceOf(request)
    const opened = await transact(this.#deps.db, async (tx) => {
      await lockUser(tx, id)
      const account = await findAccount(tx, { id })
      if (!account || !(await endSignIn(tx, token))) return undefined
      return this.#open(tx, request, { account }, device)
    })
    if (opened === undefined) return undefined
    this.forget(reply)
    return this.#welcome(reply, { token: opened, id, device })
  }

  /** The browser no longer has a sign-in that waits. */
  forget(reply: FastifyReply) {
    setCookie(reply, this.#deps.cookies, { name: COOKIE, value: '', seconds: 0 })
  }

  /** Whether this browser has signed in to the account before. Strangers' guesses do not lock it out. */
  async isKnown(request: FastifyRequest, userId: string): Promise<boolean> {
    const device = readCookie(request, this.#deps.cookies, 'device')
    return device !== undefined && isKnownDevice(this.#deps.db, userId, device)
  }

  /** Makes the session, remembers the browser, and tells the owner of a new one. @returns the session's token */
  async #open(
    tx: Tx,
    request: FastifyRequest,
    { account, idToken }: Pick<Proved, 'account' | 'idToken'>,
    device: string,
  ): Promise<string> {
    const { clock, cookies, mailer, sessions } = this.#deps
    const [now, origin, userId] = [clock(), originOf(request), account.id]
    await sessions.end(request, tx)
    const address = origin.address ?? ''
    const agent = request.headers['user-agent'] ?? ''
    const { id, token } = await createSession(tx, { userId, address, agent })
    if (idToken !== undefined) await keepIdToken(tx, id, idToken)
    const isFirst = !(await hasDevices(tx, userId))
    const isNew = !isFirst && !(await isKnownDevice(tx, userId, device))
    await rememberDevice(tx, userId, device, now)
    const event: AuditEvent = isNew ? 'signed-in-new-device' : 'signed-in'
    await recordEvent(tx, { userId, actor: 'user', event, origin }, now)
    if (isNew) {
      const letter = newDeviceLetter({ origin, now, publicUrl: cookies.publicUrl })
      await mailer.queue(tx, {
        kind: event,
        to: account.email,
        account: userId,
        letter,
        lifeMs: LETTER_LIFE_MS,
      })
    }
    return token
  }

  /** Gives the browser its cookies. */
  async #welcome(
    reply: FastifyReply,
    { token, id, device }: { token: string; id: string; device: string },
  ) {
    const { cookies, mailer, sessions } = this.#deps
    sessions.give(reply, token)
    setCookie(reply, cookies, { name: 'device', value: device, seconds: (400 * DAY_MS) / 1000 })
    mailer.soon()
    return { user: await this.#deps.presentUser(id) }
  }

  #deviceOf(request: FastifyRequest): string {
    const known = readCookie(request, this.#deps.cookies, 'device')
    return known ?? randomBytes(DEVICE_BYTES).toString('base64url')
  }
}

/** Whether the account is there, its password is still the same, and its provider still linked. */
async function isStillProved(tx: Tx, { account: { id }, passwordHash, idToken }: Proved) {
  if (!(await findAccount(tx, { id }))) return false
  if (passwordHash !== undefined && passwordHash !== (await passwordHashOf(tx, id))) return false
  return idToken === undefined || isLinked(tx, id)
}
