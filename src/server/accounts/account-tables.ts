import type { PersonId, WorkspaceId } from '../database/ids.ts'
import type { Db } from '../database/schema.ts'

/*
 * Every table with rows of an account, by whether the first proof of its address ends them. A test
 * compares the lists with the database.
 */

/** Tables of this room whose rows the first proof removes. */
export const endedHere = [
  'passkeys',
  'second_factors',
  'recovery_codes',
  'mailed_links',
  'known_devices',
  'oauth_records',
  'sign_ins',
] as const

/** The same, of what the person made. */
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

/** Tables whose rows end too, under a condition or in the room that owns them. */
export const endedOtherwise = [
  'accounts',
  'sessions',
  'deletions',
  'shares',
  'figure_mails',
  'webhook_endpoints',
  'webhook_events',
  'members',
  'invitations',
] as const

/** Tables whose rows stay, and why they open nothing. */
export const staying = {
  workspaces: 'what the account owns; its texts for visitors are gone',
  codes: 'the owner sees and deletes them',
  logos: 'as codes',
  looks: 'as codes; none is the default any more',
  tags: 'as codes',
  domains: 'the letter names them; none is the default any more',
  code_usage: 'counts the codes',
  imports: 'files that only the account reads',
  scans: 'scans of the codes',
  scan_packs: 'as scans',
  forgotten_codes: 'ids of purged codes, whose scans are on their way out',
  idempotency_keys: 'answers to calls of keys that have ended',
  subscriptions: 'a plan that is paid',
  customers: 'as subscriptions',
  checkouts: 'as subscriptions',
  payment_records: 'as subscriptions',
  sandbox_customers: 'as subscriptions',
  audit_entries: 'what was done stays known',
  user_pictures: 'only the account shows it',
  notices: 'which notices the account got',
} as const
