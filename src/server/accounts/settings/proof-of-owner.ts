import type { FastifyRequest } from 'fastify'
import { MINUTE_MS } from '#contract/time.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/schema.ts'
import { AppError } from '../../http/errors.ts'
import { count, forgetCount, uncount } from '../../http/limits/counts-store.ts'
import type { Hashing } from '../passwords/hashing.ts'
import type { OwnSession } from '../sessions/require-user.ts'
import { passwordHashOf } from '../users-store.ts'

/** How long a sign-in proves by itself that the owner acts. */
export const FRESH_MS = 15 * MINUTE_MS

const TOO_MANY_FAILURES = 'Too many wrong passwords. Try again in 15 minutes, or sign in again.'

type Deps = {
  db: Db
  clock: Clock
  hashing: Hashing
  config: { passwordLogin: boolean }
}

/**
 * Proof that the owner acts, and nobody who found a browser signed in: a fresh sign-in of this
 * session, else the account's password.
 * @throws AppError sign_in_again, wrong_password, rate_limited
 */
export type DemandOwner = (request: FastifyRequest, password: string | undefined) => Promise<void>

/** For routes behind `requireUser`. */
export function proofOfOwner({ db, clock, hashing, config }: Deps): DemandOwner {
  return async (request, password) => {
    if (isFresh(request.session)) return
    const { userId } = request
    // Where passwords are switched off, none opens anything.
    const hash = config.passwordLogin ? await passwordHashOf(db, userId) : null
    if (!hash || password === undefined) throw new AppError('sign_in_again')
    // Before the password is checked, so that guesses sent at once are all counted.
    await count(db, 'wrong-passwords', userId, clock(), { message: TOO_MANY_FAILURES })
    const given = { hash, password }
    const isRight = await hashing.verify(request, given).catch(async (refusal) => {
      // This password was not checked.
      await uncount(db, 'wrong-passwords', userId)
      throw refusal
    })
    const counts = isRight && (await passwordHashOf(db, userId)) === hash
    if (!counts) throw new AppError('wrong_password')
    await forgetCount(db, 'wrong-passwords', userId)
  }
}

/** By the system's clock, as the session's own times are. A sign-in from the future is not fresh. */
function isFresh(session: OwnSession | null): boolean {
  if (!session) return false
  const age = Date.now() - session.signedInAt.getTime()
  return age >= 0 && age < FRESH_MS
}
