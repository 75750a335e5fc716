import type { FastifyReply, FastifyRequest } from 'fastify'
import { MINUTE_MS } from '#contract/time.ts'
import { isAhead } from '../../../clock.ts'
import { NOBODY, type PersonId } from '../../../database/ids.ts'
import { addNew } from '../../../database/rows.ts'
import type { Db } from '../../../database/schema.ts'
import type { RoomDeps } from '../../../room.ts'
import { readCookie, setCookie } from '../../sessions/cookies.ts'
import { newToken } from '../../sessions/sessions-store.ts'

/** The bytes that an authenticator signs, in base64url, and until when they count */
export type PasskeyChallenge = { id: string; until: number }

/** Long, because the sign-in page asks for one as it opens and may be open for a while. */
const LIFE_MS = 30 * MINUTE_MS

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
  const id = newToken()
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

function readChallenge(deps: Deps, request: FastifyRequest, { cookie, userId = NOBODY }: Purpose) {
  const [id, time, owner] = readCookie(request, deps, cookie)?.split(' ') ?? []
  const until = Number(time)
  return id && owner === userId && isAhead(until, LIFE_MS, deps.clock()) ? { id, until } : undefined
}

/** Marks a challenge as answered. @returns false if it was already: this answer is a replay */
export async function consumeChallenge(db: Db, challenge: PasskeyChallenge): Promise<boolean> {
  return addNew(db, 'used_challenges', { id: challenge.id, expires_at: challenge.until })
}
