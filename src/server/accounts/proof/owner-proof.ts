import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignInAnswer } from '#contract/accounts/accounts.ts'
import { MINUTE_MS } from '#contract/time.ts'
import { sessionOf } from '../../actor.ts'
import { NOBODY, type PersonId } from '../../database/ids.ts'
import type { Db, Tables, Tx } from '../../database/schema.ts'
import { AppError } from '../../http/errors.ts'
import { count, forgetCount, uncount } from '../../http/limits/counts-store.ts'
import { clientAddress } from '../../http/policy/client-address.ts'
import type { AccountDeps, DemandOwner } from '../account-deps.ts'
import { hasSession, noteOwnerProof } from '../sessions/sessions-store.ts'
import { type AccountRow, passwordHashOf } from '../users-store.ts'

/** Checked for an unknown address, so that it takes as long as a known one. */
const DUMMY_HASH = `${randomBytes(16).toString('hex')}:${randomBytes(64).toString('hex')}`

/**
 * The first step of a sign-in. After a password or a mailed link, an account with a second step asks
 * for a code. A passkey with user verification is two factors in one.
 */
type Method = Tables['sign_ins']['method'] | 'passkey' | 'provider' | 'sign-up'

/** A first step that is done. */
export type Proved = {
  account: AccountRow
  method: Method
  /** The hash of the password that was given, if there was one */
  passwordHash?: string | undefined
  /** The passkey that signed */
  passkey?: string | undefined
  /** The provider's, to sign out of it later; empty if it is not stored */
  idToken?: string | undefined
}

/** The dependencies of a way in: `complete` ends its first step. */
export type SignInMethodDeps = AccountDeps & {
  signIns: {
    complete: (
      request: FastifyRequest,
      reply: FastifyReply,
      proved: Proved,
    ) => Promise<SignInAnswer>
  }
}

/** A first step by password */
type ByPassword = Proved & { passwordHash: string }

/**
 * Checks the password of a sign-in, in the turn of its address and with a count of the wrong ones.
 * @param account undefined if no account has the address
 * @throws AppError invalid_credentials, rate_limited, busy
 */
export async function demandPassword(
  { db, clock, hashing, sessions }: AccountDeps,
  request: FastifyRequest,
  given: { email: string; account?: AccountRow | undefined; password: string },
): Promise<ByPassword> {
  const { email, account, password } = given
  // The same look-ups for every address, so that their time does not show which has an account.
  const isKnownDevice = await sessions.isKnown(request, account?.id ?? NOBODY)
  const stored = await passwordHashOf(db, account?.id ?? NOBODY)
  const address = clientAddress(request)
  const attempt = await beginAttempt(db, { email, address, isKnownDevice }, clock())
  const isRight = await hashing
    .verify(request, { hash: stored ?? DUMMY_HASH, password })
    .catch(async (refusal) => {
      await attempt.takeBack()
      throw refusal
    })
  if (!account || !stored || !isRight) throw new AppError('invalid_credentials')
  await attempt.succeed()
  return { account, method: 'password', passwordHash: stored }
}

const TOO_MANY_FAILURES = 'Too many failed logins. Try again in 15 minutes.'
const TOO_MANY_OF_ALL =
  'Too many failed logins to this account. Try again in an hour, in a browser that has logged in before, or with a new password.'

type Attempt = {
  email: string
  /** The client's address, as limits count it */
  address: string
  /** Whether this browser has signed in to the account before */
  isKnownDevice: boolean
}

/**
 * Counts a sign-in as failed before its password is checked, so that guesses sent at once are all
 * counted. Each address has a count of its own for each account, so that strangers do not lock the
 * owner out; a known browser has one that they cannot move at all.
 * @throws AppError rate_limited
 */
async function beginAttempt(db: Db, { email, address, isKnownDevice }: Attempt, now: Date) {
  const own = `${email} ${isKnownDevice ? 'known device' : address}`
  await count(db, 'failed-sign-ins', own, now, { message: TOO_MANY_FAILURES })
  if (!isKnownDevice) {
    await count(db, 'all-failed-sign-ins', email, now, { message: TOO_MANY_OF_ALL })
  }
  const uncountOfAll = async () => {
    if (!isKnownDevice) await uncount(db, 'all-failed-sign-ins', email)
  }
  return {
    /** The password was not checked. */
    takeBack: async () => {
      await uncount(db, 'failed-sign-ins', own)
      await uncountOfAll()
    },
    /** The password was right. */
    succeed: async () => {
      await forgetCount(db, 'failed-sign-ins', own)
      await uncountOfAll()
    },
  }
}

/**
 * After a reset of the password, strangers' guesses of it no longer count. Guesses of codes do: a thief
 * of the mailbox could reset the password again and again for more of them.
 */
export async function forgetAttempts(db: Db, { email, address }: Omit<Attempt, 'isKnownDevice'>) {
  await forgetCount(db, 'failed-sign-ins', `${email} ${address}`)
  await forgetCount(db, 'all-failed-sign-ins', email)
}

/** How long a sign-in, or a later proof, proves by itself that the owner acts. */
const FRESH_MS = 15 * MINUTE_MS

const TOO_MANY_WRONG = 'Too many wrong passwords. Try again in 15 minutes, or log in again.'

/**
 * Makes the check of the owner, for routes behind `requireUser`.
 * @param takesLater whether a proof since the sign-in counts as long as the sign-in
 */
export function proofOfOwner(
  deps: Pick<AccountDeps, 'db' | 'clock' | 'hashing' | 'config'>,
  { takesLater }: { takesLater: boolean },
): DemandOwner {
  const { db, clock, hashing, config } = deps
  return async (request, password) => {
    const { personId: userId } = request.actor
    const session = sessionOf(request)
    if (isFresh(session?.signedInAt)) return
    if (takesLater && isFresh(session?.provedAt)) return
    const hash = config.passwordLogin ? await passwordHashOf(db, userId) : null
    if (!hash || password === undefined) throw new AppError('sign_in_again')
    // Counted before the check, so that guesses sent at once are all counted.
    await count(db, 'wrong-passwords', userId, clock(), { message: TOO_MANY_WRONG })
    const isRight = await hashing.verify(request, { hash, password }).catch(async (refusal) => {
      // This password was not checked.
      await uncount(db, 'wrong-passwords', userId)
      throw refusal
    })
    const counts = isRight && (await passwordHashOf(db, userId)) === hash
    if (!counts) throw new AppError('wrong_password')
    await forgetCount(db, 'wrong-passwords', userId)
    if (session) await noteOwnerProof(db, session.id)
  }
}

/** By the system's clock, as the session's own times are. A proof from the future is not fresh. */
function isFresh(at: Date | null | undefined): boolean {
  if (!at) return false
  const age = Date.now() - at.getTime()
  return age >= 0 && age < FRESH_MS
}

/** Proof that an account belongs to the reader of a mail: a session of the account, or its password. */
export type Shown = { sessionId: string } | ByPassword

/**
 * Asks for that proof, because the owner of a mailbox need not be the owner of the account.
 * @returns undefined if the account has no password that opens it
 * @throws AppError password_needed, and as `demandPassword`
 */
export async function showOwner(
  deps: AccountDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { account, password }: { account: AccountRow; password: string | undefined },
): Promise<Shown | undefined> {
  const { sessions, db, clock, config } = deps
  const session = await sessions.current(request, reply)
  if (session?.userId === account.id) return { sessionId: session.id }
  if (!config.passwordLogin || (await passwordHashOf(db, account.id)) === null) return undefined
  if (password === undefined) throw new AppError('password_needed')
  await count(db, 'sign-ins', clientAddress(request), clock())
  return demandPassword(deps, request, { email: account.email, account, password })
}

/** Whether that session or password still counts. */
export async function isStillShown(tx: Tx, userId: PersonId, shown: Shown): Promise<boolean> {
  if ('sessionId' in shown) return hasSession(tx, userId, shown.sessionId)
  return (await passwordHashOf(tx, userId)) === shown.passwordHash
}
