import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { HOUR_MS, MINUTE_MS } from '#contract/time.ts'
import { isAhead } from '../../../clock.ts'
import { NOBODY, type PersonId } from '../../../database/ids.ts'
import type { Db } from '../../../database/schema.ts'
import { changesRow } from '../../../database/transact.ts'
import type { RoomDeps } from '../../../room.ts'
import { readCookie, setCookie } from '../../sessions/cookies.ts'

/** The bytes that an authenticator signs, in base64url, and until when they count */
export type PasskeyChallenge = { id: string; until: number }

/** Long, because the sign-in page asks for one as it opens and may be open for a while. */
const LIFE_MS = 30 * MINUTE_MS
const CHALLENGE_BYTES = 32

type Deps = Pick<RoomDeps, 'clock' | 'publicUrl' | 'secret'>

/** A challenge is for signing in, or for adding a passkey to an account. */
export type Purpose = { cookie: 'passkey_sign_in' | 'passkey_add'; userId?: PersonId }

/**
 * Gives this browser a challenge in a signed cookie. Two tabs of the sign-in page share it, so that
 * both work; its time is never extended.
 */
export function giveChallenge(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  purpose: Purpose,
): PasskeyChallenge {
  const now = deps.clock().getTime()
  const given = readChallenge(deps, request, purpose)
  if (given && given.until - now > LIFE_MS / 2) return given
  const id = randomBytes(CHALLENGE_BYTES).toString('base64url')
  const until = now + LIFE_MS
  const value = [id, until, purpose.userId ?? ''].join(' ')
  setCookie(reply, deps, { name: purpose.cookie, value, seconds: LIFE_MS / 1000 })
  return { id, until }
}

/** Takes the challenge back for an answer; undefined if this browser has none that counts. */
export function takeChallenge(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  purpose: Purpose,
): PasskeyChallenge | undefined {
  setCookie(reply, deps, { name: purpose.cookie, value: '', seconds: 0 })
  return readChallenge(deps, request, purpose)
}

function readChallenge(
  deps: Deps,
  request: FastifyRequest,
  { cookie, userId = NOBODY }: Purpose,
): PasskeyChallenge | undefined {
  const [id, time, owner] = readCookie(request, deps, cookie)?.split(' ') ?? []
  const until = Number(time)
  return id && owner === userId && isAhead(until, LIFE_MS, deps.clock()) ? { id, until } : undefined
}

/** Marks a challenge as answered. @returns false if it was already: this answer is a replay */
export async function consumeChallenge(db: Db, challenge: PasskeyChallenge): Promise<boolean> {
  return changesRow(
    db
      .insertInto('used_challenges')
      .values({ id: challenge.id, expires_at: challenge.until })
      .onConflict((conflict) => conflict.column('id').doNothing()),
  )
}

/** Longer than any challenge lives. */
const LIFE_MAX_MS = HOUR_MS

/** Removes challenges that have expired, and those of a clock that went back since. */
export async function sweepChallenges(db: Db, now: Date): Promise<void> {
  const at = now.getTime()
  await db
    .deleteFrom('used_challenges')
    .where((row) => row.or([row('expires_at', '<=', at), row('expires_at', '>', at + LIFE_MAX_MS)]))
    .execute()
}
