import type { PersonId, WorkspaceId } from '../database/ids.ts'
import type { Db } from '../database/schema.ts'

/*
 * The tables of this room whose rows the first proof of an account's address ends. The test of first proofs decides
 * about each other table with rows of an account.
 */

/** Those of the person. */
export const endedHere = [
  'passkeys',
  'second_factors',
  'recovery_codes',
  'mailed_links',
  'known_devices',
  'oauth_records',
  'sign_ins',
] as const

/** Those of what the person made. */
export const endedPrograms = ['api_keys', 'connected_apps'] as const

/** Removes an account's rows of the tables above, and of `more`. */
export async function removeEnded(
  db: Db,
  userId: PersonId,
  more: readonly ('user_pictures' | 'notices')[] = [],
): Promise<void> {
  for (const table of [...endedHere, ...more]) {
    await db.deleteFrom(table).where('user_id', '=', userId).execute()
  }
  for (const table of endedPrograms) {
    await db.deleteFrom(table).where('made_by', '=', userId).execute()
  }
}

/** Removes all keys and apps of a workspace. */
export async function removePrograms(db: Db, workspaceId: WorkspaceId): Promise<void> {
  for (const table of endedPrograms) {
    await db.deleteFrom(table).where('workspace_id', '=', workspaceId).execute()
  }
}
