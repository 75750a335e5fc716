import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { HOUR_MS, MINUTE_MS } from '#contract/time.ts'
import { type Clock, isAhead } from '../../../clock.ts'
import type { Db } from '../../../database/schema.ts'
import { type CookieSettings, readCookie, setCookie } from '../../sessions/cookies.ts'

/** What an authenticator signs, in base64url, and until when we take it. */
export type PasskeyChallenge = { id: string; until: number }

/** The sign-in page asks for one as it opens, and may be open for a while before somebody signs in. */
const LIFE_MS = 30 * MINUTE_MS
const CHALLENGE_BYTES = 32

type Deps = { clock: Clock; cookies: CookieSettings }

/** A challenge is for signing in, or for adding a passkey to an account. */
export type Purpose = { cookie: 'passkey_sign_in' | 'passkey_add'; userId?: string }

/**
 * A challenge in a signed cookie of this browser. Two tabs of the sign-in page share it, so that both
 * work; its time is never put off.
 */
export function giveChallenge(
  { clock, cookies }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  purpose: Purpose,
): PasskeyChallenge {
  const now = clock().getTime()
  const given = readChallenge({ clock, cookies }, request, purpose)
  if (given && given.until - now > LIFE_MS / 2) return given
  const id = randomBytes(CHALLENGE_BYTES).toString('base64url')
  const until = now + LIFE_MS
  const value = [id, until, purpose.userId ?? ''].join(' ')
  setCookie(reply, cookies, { name: purpose.cookie, value, seconds: LIFE_MS / 1000 })
  return { id, until }
}

/** Takes the challenge back for an answer; undefined where this browser has none that counts. */
export function takeChallenge(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  purpose: Purpose,
): PasskeyChallenge | undefined {
  setCookie(reply, deps.cookies, { name: purpose.cookie, value: '', seconds: 0 })
  return readChallenge(deps, request, purpose)
}

function readChallenge(
  { clock, cookies }: Deps,
  request: FastifyRequest,
  { cookie, userId = '' }: Purpose,
): PasskeyChallenge | undefined {
  const [id, time, owner] = readCookie(request, cookies, cookie)?.split(' ') ?? []
  const until = Number(time)
  return id && owner === userId && isAhead(until, LIFE_MS, clock()) ? { id, until } : undefined
}

/** Marks a challenge as answered. @returns false where it was already, so that this answer is a replay */
export async function spendChallenge(
  db: Db,
  challenge: { id: string; until: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('used_challenges')
    .values({ id: challenge.id, expires_at: challenge.until })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** Longer than any challenge lives. */
const LIFE_MAX_MS = HOUR_MS

/** Removes those that are over by themselves, and those of a clock that went back since. */
export async function sweepChallenges(db: Db, now: Date): Promise<void> {
  const at = now.getTime()
  await db
    .deleteFrom('used_challenges')
    .where((row) => row.or([row('expires_at', '<=', at), row('expires_at', '>', at + LIFE_MAX_MS)]))
    .execute()
}
