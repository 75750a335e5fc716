import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { PasskeyEntry } from '#contract/accounts/account-settings.ts'
import { PASSKEYS_MAX } from '#contract/accounts/passkeys.ts'
import type { PersonId } from '../../../database/ids.ts'
import { deleteWhere, rowsWhere, updateWhere } from '../../../database/rows.ts'
import type { Db, Tables, Tx } from '../../../database/schema.ts'
import { changesRow } from '../../../database/transact.ts'
import { iso } from '../../../dates.ts'

export type Passkey = Selectable<Tables['passkeys']>

/** An account's passkeys as the settings show them, in the order in which they were added. */
export async function passkeysOf(db: Db, userId: PersonId): Promise<PasskeyEntry[]> {
  const rows = await rowsWhere(db, 'passkeys', { user_id: userId })
    .orderBy('added_at')
    .orderBy('id')
    .execute()
  return rows.map(presentPasskey)
}

export function presentPasskey(row: Passkey): PasskeyEntry {
  const { id, name, added_at, last_used_at } = row
  return { id, name, addedAt: iso(added_at), lastUsedAt: iso(last_used_at) }
}

/** The passkey of any account by its credential. */
export async function findPasskey(db: Db, credentialId: string): Promise<Passkey | undefined> {
  return rowsWhere(db, 'passkeys', { credential_id: credentialId }).executeTakeFirst()
}

/** The credentials of an account's passkeys, from which a browser sees which ones it has. */
export async function credentialsOf(db: Db, userId: PersonId) {
  return rowsWhere(db, 'passkeys', { user_id: userId }).execute()
}

/** Adds a passkey. Call it in `changeAccount`. @returns undefined if the account has PASSKEYS_MAX */
export async function addPasskey(tx: Tx, given: Omit<Passkey, 'id' | 'last_used_at'>) {
  if ((await credentialsOf(tx, given.user_id)).length >= PASSKEYS_MAX) return undefined
  const row = { ...given, id: randomUUID(), last_used_at: null }
  await tx.insertInto('passkeys').values(row).execute()
  return row
}

/**
 * Stores the use and the count of a passkey. Most passkeys do not count and say 0. A count that does
 * not grow is a sign of a copy (WebAuthn §6.1.1).
 * @returns false if the passkey is gone or its count does not grow
 */
export async function notePasskeyUse(
  db: Db,
  id: string,
  { counter, now }: { counter: number; now: Date },
): Promise<boolean> {
  return changesRow(
    updateWhere(db, 'passkeys', { id })
      .set({ counter, last_used_at: now.getTime() })
      .where((row) => (counter === 0 ? row('counter', '=', 0) : row('counter', '<', counter))),
  )
}

/** @returns the name of the removed passkey; undefined if the account has none with this id */
export async function removePasskey(db: Db, userId: PersonId, id: string) {
  const row = await deleteWhere(db, 'passkeys', { user_id: userId, id })
    .returning('name')
    .executeTakeFirst()
  return row?.name
}
