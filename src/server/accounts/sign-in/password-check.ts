import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/schema.ts'
import { AppError } from '../../http/errors.ts'
import { count, forgetCount, uncount } from '../../http/limits/counts-store.ts'
import { clientAddress } from '../../http/policy/client-address.ts'
import type { Hashing } from '../passwords/hashing.ts'
import { type AccountRow, passwordHashOf } from '../users-store.ts'
import type { Proved, SignIn } from './sign-in.ts'

export type PasswordCheckDeps = { db: Db; clock: Clock; hashing: Hashing; signIns: SignIn }

/** Checked where there is no password, so that an unknown address takes as long as a known one. */
const NOBODYS_HASH = `${randomBytes(16).toString('hex')}:${randomBytes(64).toString('hex')}`

/**
 * Checks somebody's password by which they come in: in a turn of their address, with a count of the
 * wrong ones.
 * @param account undefined where nobody has the address
 * @returns what that proves
 * @throws AppError invalid_credentials, rate_limited, busy
 */
export async function demandPassword(
  { db, clock, hashing, signIns }: PasswordCheckDeps,
  request: FastifyRequest,
  {
    email,
    account,
    password,
  }: { email: string; account?: AccountRow | undefined; password: string },
): Promise<Proved & { passwordHash: string }> {
  // The same look-ups for everybody: their time tells nobody who has an account.
  const [isKnownDevice, stored] = [
    await signIns.isKnown(request, account?.id ?? ''),
    await passwordHashOf(db, account?.id ?? ''),
  ]
  const address = clientAddress(request)
  const attempt = await beginAttempt(db, { email, address, isKnownDevice }, clock())
  const given = { hash: stored ?? NOBODYS_HASH, password }
  const isRight = await hashing.verify(request, given).catch(async (refusal) => {
    await attempt.takeBack()
    throw refusal
  })
  if (!account || !stored || !isRight) throw new AppError('invalid_credentials')
  await attempt.succeed()
  return { account, method: 'password', passwordHash: stored }
}

const TOO_MANY_FAILURES = 'Too many failed sign-ins. Try again in 15 minutes.'
const TOO_MANY_OF_ALL =
  'Too many failed sign-ins to this account. Try again in an hour, from a browser that has signed in before, or with a new password.'

export type Attempt = {
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
export async function beginAttempt(db: Db, attempt: Attempt, now: Date) {
  const { email, address, isKnownDevice } = attempt
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
 * After a reset of the password strangers' guesses of it no longer count. Those of codes do: whoever
 * reads the mails could reset it again and again for more of them.
 */
export async function forgetAttempts(db: Db, { email, address }: Omit<Attempt, 'isKnownDevice'>) {
  await forgetCount(db, 'failed-sign-ins', `${email} ${address}`)
  await forgetCount(db, 'all-failed-sign-ins', email)
}
