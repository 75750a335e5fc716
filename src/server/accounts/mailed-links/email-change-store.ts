import { sql } from 'kysely'
import type { PersonId } from '../../database/ids.ts'
import { updateWhere } from '../../database/rows.ts'
import type { Db, Tx } from '../../database/schema.ts'
import { NO_CHANGE } from '../users-store.ts'

/** The address that has agreed, of the account's own and the new one */
export type Step = 'approved' | 'proved'

export type PendingChange = { email: string; isProved: boolean; to: string; step: Step | null }

/** The change that is under way, if any. Locks the account, so that two answers come one by one. */
export async function pendingChange(tx: Tx, userId: PersonId, now: Date) {
  // An update locks the row on both engines.
  const row = await updateWhere(tx, 'users', { id: userId })
    .set({ pending_step: sql`pending_step` })
    .where('pending_until', '>', now.getTime())
    .returning(['email', 'emailVerified', 'pending_email', 'pending_step'])
    .executeTakeFirst()
  if (!row?.pending_email) return undefined
  const { email, emailVerified, pending_email: to, pending_step: step } = row
  return { email, isProved: Boolean(emailVerified), to, step }
}

/** Drops the changes that were not agreed to in time. */
export async function sweepChanges(db: Db, now: Date): Promise<void> {
  await db.updateTable('users').set(NO_CHANGE).where('pending_until', '<=', now.getTime()).execute()
}
