import { hash, randomBytes } from 'node:crypto'
import type { Db, Tables, Tx } from '../../database/schema.ts'
import { signInLimits } from '../../http/limits/limits.ts'
import { hashOfToken } from '../sessions/sessions-store.ts'

/** After so many codes a sign-in begins again with its first step, and after so long. */
const { max: ATTEMPTS_MAX, windowMs } = signInLimits.codes
export const SIGN_IN_MS = windowMs
const TOKEN_BYTES = 32

/** A sign-in whose first step is done. `token` is what its browser keeps. */
export type WaitingSignIn = Pick<Tables['sign_ins'], 'user_id' | 'method'> & { token: string }

/** Keeps a sign-in that needs a code from now on. @returns the token for its browser */
export async function addSignIn(
  tx: Tx,
  { userId, method }: { userId: string; method: Tables['sign_ins']['method'] },
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

/** Ends a sign-in that is finished. @returns false if it has ended before, so that it opens nothing twice */
export async function endSignIn(tx: Tx, token: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('sign_ins')
    .where('hash', '=', hashOfToken(token))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function sweepSignIns(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sign_ins').where('expires_at', '<=', now.getTime()).execute()
}

/** Browsers that an account remembers; the one that was not seen for longest is forgotten first. */
const DEVICES_MAX = 20

const hashOf = (device: string) => hash('sha256', device, 'base64url')

/** Whether somebody has signed in to this account from this browser before. */
export async function isKnownDevice(db: Db, userId: string, device: string): Promise<boolean> {
  const row = await db
    .selectFrom('known_devices')
    .select('hash')
    .where('user_id', '=', userId)
    .where('hash', '=', hashOf(device))
    .executeTakeFirst()
  return row !== undefined
}

export async function hasDevices(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('known_devices')
    .select('hash')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function rememberDevice(db: Db, userId: string, device: string, now: Date) {
  const seen = { seen_at: now.getTime() }
  await db
    .insertInto('known_devices')
    .values({ user_id: userId, hash: hashOf(device), ...seen })
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

/** Of all browsers that an account knows, it keeps this one, if it knows it. */
export async function forgetOtherDevices(db: Db, userId: string, kept: string | undefined) {
  await db
    .deleteFrom('known_devices')
    .where('user_id', '=', userId)
    .where('hash', '!=', kept === undefined ? '' : hashOf(kept))
    .execute()
}
