import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/schema.ts'
import { AppError } from '../../http/errors.ts'
import { clientAddress } from '../../http/policy/client-address.ts'
import type { Hashing } from '../passwords/hashing.ts'
import { type AccountRow, passwordHashOf } from '../users-store.ts'
import { beginAttempt } from './attempts.ts'
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
