import type { Db, Tx } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { findAccount, lockUser, markProved } from '../users-store.ts'
import { dropChange } from './email-change-store.ts'

/** What stays because the person who proves the address now has just shown that it is theirs. */
export type Kept = {
  /** The id of the session from which the address is proved */
  sessionId?: string
  /** The `providerId` of the way in by which it is proved: `credential` is the password */
  providerId?: string
}

/**
 * Marks the address of an account as proved. Until the first proof anybody could have signed up with
 * it and prepared ways back in: with that proof all of them end, which are passwords, linked
 * providers, passkeys, second factors, mailed links, known browsers and sessions. An account whose
 * address is proved already stays as it is.
 * @returns whether it was the first proof
 */
export async function proveAddress(db: Db, userId: string, kept: Kept = {}): Promise<boolean> {
  return transact(db, async (tx) => {
    await lockUser(tx, userId)
    if ((await findAccount(tx, { id: userId }))?.emailVerified !== false) return false
    await endUnproven(tx, userId, kept)
    await markProved(tx, userId)
    return true
  })
}

const OWN_TABLES = [
  'passkeys',
  'second_factors',
  'recovery_codes',
  'mailed_links',
  'known_devices',
] as const

/** Ends every way in but what is kept. */
export async function endUnproven(tx: Tx, userId: string, kept: Kept = {}): Promise<void> {
  const { sessionId = '', providerId = '' } = kept
  await lockUser(tx, userId)
  for (const table of OWN_TABLES) {
    await tx.deleteFrom(table).where('user_id', '=', userId).execute()
  }
  await dropChange(tx, userId)
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
}
