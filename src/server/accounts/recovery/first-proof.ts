import { DAY_MS } from '#contract/time.ts'
import type { Db, Tx } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import type { Mailer } from '../../mail/mail-room.ts'
import { endedHere } from '../account-tables.ts'
import { removeDeletion } from '../deletion/deletions-store.ts'
import { findAccount, lockUser, markProved, setDeletionAt } from '../users-store.ts'
import { dropChange } from './email-change-store.ts'
import { firstProofLetter } from './recovery-letters.ts'

export type FirstProofDeps = {
  db: Db
  mailer: Mailer
  config: { publicUrl: string }
  /** Ends an account's webhooks, share links and mailed reports. */
  endSharing: (tx: Tx, userId: string) => Promise<void>
}

/** What stays because the person who proves the address now has just shown that it is theirs. */
export type Kept = {
  /** The id of the session from which the address is proved */
  sessionId?: string
  /** The `providerId` of the way in by which it is proved: `credential` is the password */
  providerId?: string
}

/**
 * Marks the address of an account as proved. Until the first proof anybody could have signed up with
 * it and prepared ways back in: see `endUnproven`. An account whose address is proved already stays
 * as it is.
 * @returns whether it was the first proof
 */
export async function proveAddress(
  deps: FirstProofDeps,
  userId: string,
  kept: Kept = {},
): Promise<boolean> {
  const isFirst = await transact(deps.db, async (tx) => {
    await lockUser(tx, userId)
    if ((await findAccount(tx, { id: userId }))?.emailVerified !== false) return false
    await endUnproven(deps, tx, userId, kept)
    await markProved(tx, userId)
    return true
  })
  if (isFirst) deps.mailer.soon()
  return isFirst
}

/**
 * Ends what gives anybody access to an account or its data (`account-tables.ts`), and a pending
 * deletion, but for what is kept, and mails the owner that it has ended.
 */
export async function endUnproven(
  { mailer, config, endSharing }: FirstProofDeps,
  tx: Tx,
  userId: string,
  kept: Kept = {},
): Promise<void> {
  const { sessionId = '', providerId = '' } = kept
  await lockUser(tx, userId)
  for (const table of endedHere) {
    await tx.deleteFrom(table).where('user_id', '=', userId).execute()
  }
  await dropChange(tx, userId)
  await endSharing(tx, userId)
  if (await removeDeletion(tx, userId)) await setDeletionAt(tx, userId, null)
  await tx
    .deleteFrom('accounts')
    .where('userId', '=', userId)
    .where('providerId', '!=', providerId)
    .execute()
  await tx
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .where('id', '!=', sessionId)
    .execute()
  const account = await findAccount(tx, { id: userId })
  if (!account) return
  await mailer.queue(tx, {
    kind: 'first-proof',
    to: account.email,
    account: userId,
    letter: firstProofLetter(config.publicUrl),
    lifeMs: 2 * DAY_MS,
  })
}
