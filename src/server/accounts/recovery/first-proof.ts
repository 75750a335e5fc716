import type { Db, Tx } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import type { Auth } from '../auth.ts'
import { type AccountRow, lockUser } from '../users-store.ts'
import { dropChange } from './email-change-store.ts'

/** What stays because whoever proves the address now has just shown that it is theirs. */
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
 * address is proved already stays as it is. The mark comes last, so that what a crash interrupts is
 * done again at the next proof.
 * @returns whether it was the first proof
 */
export async function proveAddress(
  auth: Auth,
  db: Db,
  account: Pick<AccountRow, 'id' | 'emailVerified'>,
  kept: Kept = {},
): Promise<boolean> {
  if (account.emailVerified) return false
  await transact(db, (tx) => endUnproven(tx, account.id, kept))
  const { internalAdapter } = await auth.$context
  await internalAdapter.updateUser(account.id, { emailVerified: true })
  return true
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
