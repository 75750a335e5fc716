import { sql } from 'kysely'
import type { PersonId } from '../../database/ids.ts'
import type { Db, Tx } from '../../database/schema.ts'
import { NO_CHANGE } from '../users-store.ts'

/** The address that has agreed, of the account's own and the new one */
export type Step = 'approved' | 'proved'

export type PendingChange = { email: string; isProved: boolean; to: string; step: Step | null }

/** Begins a change, in place of an earlier one. */
export async function beginChange(
  tx: Tx,
  userId: PersonId,
  change: { to: string; step: Step | null; until: number },
): Promise<void> {
  const { to, step, until } = change
  await tx
    .updateTable('users')
    .set({ pending_email: to, pending_step: step, pending_until: until })
    .where('id', '=', userId)
    .execute()
}

/** The change that is under way, if any. Locks the account, so that two answers come one by one. */
export async function pendingChange(
  tx: Tx,
  userId: PersonId,
  now: Date,
): Promise<PendingChange | undefined> {
  // An update locks the row on both engines.
  const row = await tx
    .updateTable('users')
    .set({ pending_step: sql`pending_step` })
    .where('id', '=', userId)
    .where('pending_until', '>', now.getTime())
    .returning(['email', 'emailVerified', 'pending_email', 'pending_step'])
    .executeTakeFirst()
  if (!row?.pending_email) return undefined
  const { email, emailVerified, pending_email: to, pending_step: step } = row
  return { email, isProved: Boolean(emailVerified), to, step }
}

export async function rememberStep(tx: Tx, userId: PersonId, step: Step): Promise<void> {
  await tx.updateTable('users').set({ pending_step: step }).where('id', '=', userId).execute()
}

/** Gives the account its new address, which is proved. */
export async function finishChange(tx: Tx, userId: PersonId, email: string): Promise<void> {
  await tx
    .updateTable('users')
    .set({ email, emailVerified: sql`true`, ...NO_CHANGE })
    .where('id', '=', userId)
    .execute()
}

/** Drops the changes that were not agreed to in time. */
export async function sweepChanges(db: Db, now: Date): Promise<void> {
  await db.updateTable('users').set(NO_CHANGE).where('pending_until', '<=', now.getTime()).execute()
}
