import type { PersonId } from '../../../database/ids.ts'
import { countWhere, deleteWhere, rowsWhere, updateWhere } from '../../../database/rows.ts'
import type { Db, Tables, Tx } from '../../../database/schema.ts'
import { changesRow } from '../../../database/transact.ts'
import { signInLimits } from '../../../http/limits/limits.ts'
import { hashOfToken, newToken } from '../../sessions/sessions-store.ts'

/** Whether an account asks for a code after the password. */
export async function hasSecondFactor(db: Db, userId: PersonId): Promise<boolean> {
  return (await findSecondFactor(db, userId))?.isOn ?? false
}

/** The second factor as the settings show it. */
export async function secondFactorOf(db: Db, userId: PersonId) {
  const isOn = await hasSecondFactor(db, userId)
  return { isOn, recoveryCodesLeft: isOn ? await countRecoveryCodes(db, userId) : 0 }
}

/** `isOn` is false while it is only offered. `sealed` is the encrypted secret. */
export async function findSecondFactor(db: Db, userId: PersonId) {
  const row = await rowsWhere(db, 'second_factors', { user_id: userId }).executeTakeFirst()
  if (!row) return undefined
  return {
    sealed: row.secret,
    isOn: row.confirmed_at !== null,
    offeredAt: row.offered_at ?? 0,
  }
}

/** Stores a secret that is offered, in place of an earlier offer. @returns false if one is on already */
export async function saveOffer(
  db: Db,
  userId: PersonId,
  { sealed, now }: { sealed: string; now: Date },
): Promise<boolean> {
  const offer = { secret: sealed, offered_at: now.getTime(), last_step: 0 }
  return changesRow(
    db
      .insertInto('second_factors')
      .values({ user_id: userId, confirmed_at: null, ...offer })
      .onConflict((conflict) =>
        conflict
          .column('user_id')
          .doUpdateSet(offer)
          .where('second_factors.confirmed_at', 'is', null),
      ),
  )
}

/** Turns an offered secret on. @param step the time step of its code @returns false if another offer came since */
export async function confirmOffer(
  db: Db,
  userId: PersonId,
  { sealed, step, now }: { sealed: string; step: number; now: Date },
): Promise<boolean> {
  const offered = { user_id: userId, secret: sealed, confirmed_at: null }
  const on = { confirmed_at: now.getTime(), last_step: step }
  return changesRow(updateWhere(db, 'second_factors', offered).set(on))
}

/**
 * Uses up the code of a time step and of all steps before. Only one of two callers at once succeeds.
 * @param latest the last step that can be right: a used one after it is from a clock that went back
 * @returns false if it is used already
 */
export async function spendStep(
  db: Db,
  userId: PersonId,
  { step, latest }: { step: number; latest: number },
): Promise<boolean> {
  return changesRow(
    updateWhere(db, 'second_factors', { user_id: userId })
      .set({ last_step: step })
      .where('confirmed_at', 'is not', null)
      .where((row) => row.or([row('last_step', '<', step), row('last_step', '>', latest)])),
  )
}

/** Removes it with its recovery codes. @returns whether one was on */
export async function removeSecondFactor(db: Db, userId: PersonId): Promise<boolean> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  const row = await deleteWhere(db, 'second_factors', { user_id: userId })
    .returning('confirmed_at')
    .executeTakeFirst()
  return row !== undefined && row.confirmed_at !== null
}

/** Stores new codes in place of the old ones. */
export async function replaceRecoveryCodes(db: Db, userId: PersonId, hashes: string[]) {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  const rows = hashes.map((hash) => ({ user_id: userId, hash }))
  await db.insertInto('recovery_codes').values(rows).execute()
}

/** Uses a code up. @returns false if it is used already or was never one */
export async function spendRecoveryCode(db: Db, userId: PersonId, hash: string): Promise<boolean> {
  return changesRow(deleteWhere(db, 'recovery_codes', { user_id: userId, hash }))
}

export function countRecoveryCodes(db: Db, userId: PersonId): Promise<number> {
  return countWhere(db, 'recovery_codes', { user_id: userId })
}

/** The codes and the time after which a sign-in begins again with its first step */
const { max: ATTEMPTS_MAX, windowMs } = signInLimits.codes
export const SIGN_IN_MS = windowMs

/** A sign-in whose first step is done. `token` is what its browser keeps. */
export type WaitingSignIn = Pick<Tables['sign_ins'], 'user_id' | 'method'> & { token: string }

/** Stores a sign-in that waits for a code. @returns the token for its browser */
export async function addSignIn(
  tx: Tx,
  { userId, method }: { userId: PersonId; method: Tables['sign_ins']['method'] },
  now: Date,
): Promise<string> {
  const token = newToken()
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
export async function countAttempt(db: Db, token: string, now: Date) {
  const row = await updateWhere(db, 'sign_ins', {
    hash: hashOfToken(token),
    state: 'second-factor',
  })
    .set((row) => ({ attempts: row('attempts', '+', 1) }))
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
