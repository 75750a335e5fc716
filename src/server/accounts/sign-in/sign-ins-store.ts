import { randomBytes } from 'node:crypto'
import type { PersonId } from '../../database/ids.ts'
import type { Db, Tables, Tx } from '../../database/schema.ts'
import { changesRow } from '../../database/transact.ts'
import { signInLimits } from '../../http/limits/limits.ts'
import { hashOfToken } from '../sessions/sessions-store.ts'

/** The codes and the time after which a sign-in begins again with its first step */
const { max: ATTEMPTS_MAX, windowMs } = signInLimits.codes
export const SIGN_IN_MS = windowMs
const TOKEN_BYTES = 32

/** A sign-in whose first step is done. `token` is what its browser keeps. */
export type WaitingSignIn = Pick<Tables['sign_ins'], 'user_id' | 'method'> & { token: string }

/** Stores a sign-in that waits for a code. @returns the token for its browser */
export async function addSignIn(
  tx: Tx,
  { userId, method }: { userId: PersonId; method: Tables['sign_ins']['method'] },
  now: Date,
): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  await tx
    .insertInto('sign_ins')
    .values({
      hash: hashOfToken(token),
      user_id: userId,
      method,
      state: 'second-factor',
      attempts: 0,
      expires_at: now.getTime() + SIGN_IN_MS,
    })
    .execute()
  return token
}

/**
 * Counts an attempt before its code is checked, so that guesses sent at once are all counted.
 * @returns the sign-in; undefined if it has ended or has no attempt left
 */
export async function countAttempt(
  db: Db,
  token: string,
  now: Date,
): Promise<WaitingSignIn | undefined> {
  const row = await db
    .updateTable('sign_ins')
    .set((row) => ({ attempts: row('attempts', '+', 1) }))
    .where('hash', '=', hashOfToken(token))
    .where('state', '=', 'second-factor')
    .where('attempts', '<', ATTEMPTS_MAX)
    .where('expires_at', '>', now.getTime())
    .returning(['user_id', 'method'])
    .executeTakeFirst()
  return row && { ...row, token }
}

/** Ends a sign-in that is finished. @returns false if it ended before: it opens nothing twice */
export async function endSignIn(tx: Tx, token: string): Promise<boolean> {
  return changesRow(tx.deleteFrom('sign_ins').where('hash', '=', hashOfToken(token)))
}

export async function sweepSignIns(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sign_ins').where('expires_at', '<=', now.getTime()).execute()
}

/** Browsers that an account remembers: beyond that it forgets the ones seen longest ago. */
const DEVICES_MAX = 20

/** Whether this browser has signed in to the account before, or is its first. */
export async function findDevice(db: Db, userId: PersonId, device: string) {
  const devices = db.selectFrom('known_devices').select('hash').where('user_id', '=', userId)
  const known = await devices.execute()
  return {
    isKnown: known.some(({ hash }) => hash === hashOfToken(device)),
    isFirst: known.length === 0,
  }
}

export async function rememberDevice(db: Db, userId: PersonId, device: string, now: Date) {
  const seen = { seen_at: now.getTime() }
  await db
    .insertInto('known_devices')
    .values({ user_id: userId, hash: hashOfToken(device), ...seen })
    .onConflict((conflict) => conflict.columns(['user_id', 'hash']).doUpdateSet(seen))
    .execute()
  const kept = db
    .selectFrom('known_devices')
    .select('hash')
    .where('user_id', '=', userId)
    .orderBy('seen_at', 'desc')
    .limit(DEVICES_MAX)
  await db
    .deleteFrom('known_devices')
    .where('user_id', '=', userId)
    .where('hash', 'not in', kept)
    .execute()
}

/** Forgets the browsers of an account but this one. */
export async function forgetOtherDevices(db: Db, userId: PersonId, kept: string | undefined) {
  await db
    .deleteFrom('known_devices')
    .where('user_id', '=', userId)
    .where('hash', '!=', kept === undefined ? '' : hashOfToken(kept))
    .execute()
}
