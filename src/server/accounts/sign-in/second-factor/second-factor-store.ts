import type { Db } from '../../../database/schema.ts'
import { countRecoveryCodes } from './recovery-codes.ts'

/** Whether an account asks for a code after the password. */
export async function hasSecondFactor(db: Db, userId: string): Promise<boolean> {
  return (await findSecondFactor(db, userId))?.isOn ?? false
}

/** The second factor as the settings show it. */
export async function secondFactorOf(db: Db, userId: string) {
  const isOn = await hasSecondFactor(db, userId)
  return { isOn, recoveryCodesLeft: isOn ? await countRecoveryCodes(db, userId) : 0 }
}

/** `isOn` is false while it is only offered. `sealed` is the encrypted secret. */
export async function findSecondFactor(
  db: Db,
  userId: string,
): Promise<{ sealed: string; isOn: boolean; offeredAt: number } | undefined> {
  const row = await db
    .selectFrom('second_factors')
    .select(['secret', 'confirmed_at', 'offered_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!row) return undefined
  return {
    sealed: row.secret,
    isOn: row.confirmed_at !== null,
    offeredAt: row.offered_at ?? 0,
  }
}

/** Keeps a secret that is offered, in place of an earlier offer. @returns false where one is on already */
export async function saveOffer(
  db: Db,
  userId: string,
  { sealed, now }: { sealed: string; now: Date },
): Promise<boolean> {
  const offer = { secret: sealed, offered_at: now.getTime(), last_step: 0 }
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('second_factors')
    .values({ user_id: userId, confirmed_at: null, ...offer })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet(offer)
        .where('second_factors.confirmed_at', 'is', null),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** Turns on what was offered, by the code of a step. @returns false where another offer came meanwhile */
export async function confirmOffer(
  db: Db,
  userId: string,
  { sealed, step, now }: { sealed: string; step: number; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('second_factors')
    .set({ confirmed_at: now.getTime(), last_step: step })
    .where('user_id', '=', userId)
    .where('secret', '=', sealed)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Uses up the code of a time step and of all steps before. Of two at once one gets it.
 * @param latest a step that was used after this one is from a clock that went back since
 * @returns false where it is used already
 */
export async function spendStep(
  db: Db,
  userId: string,
  { step, latest }: { step: number; latest: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('second_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .where((row) => row.or([row('last_step', '<', step), row('last_step', '>', latest)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** @returns whether one was on */
export async function removeSecondFactor(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .deleteFrom('second_factors')
    .where('user_id', '=', userId)
    .returning('confirmed_at')
    .executeTakeFirst()
  return row !== undefined && row.confirmed_at !== null
}
