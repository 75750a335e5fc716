import { randomBytes, randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import {
  type ApiKeyEntry,
  KEYS_MAX,
  type KeyScope,
  type NewApiKey,
} from '#contract/integrations/api-keys.ts'
import { DAY_MS } from '#contract/time.ts'
import type { Actor } from '../../actor.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import { rowsWhere } from '../../database/rows.ts'
import type { Db, Tables, Tx } from '../../database/schema.ts'
import { iso } from '../../dates.ts'
import { hashOfToken } from '../sessions/sessions-store.ts'

export type KeyRow = Selectable<Tables['api_keys']>

/** By this prefix people, and programs that search for leaked secrets, know a key. */
const PREFIX = 'tsk_'
/** 32 characters that do not look alike: each one is five bits. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789'
const CHARACTERS = 40
/** Characters of a key that lists show. */
const START = PREFIX.length + 4
/** A text of another shape is not looked up. */
export const KEY = new RegExp(`^${PREFIX}[${ALPHABET}]{${CHARACTERS}}$`)

function newKey(): string {
  const characters = [...randomBytes(CHARACTERS)].map((byte) => ALPHABET[byte % ALPHABET.length])
  return PREFIX + characters.join('')
}

/**
 * Makes a key. Call it in `changeAccount`.
 * @returns its row and the key itself, which is not stored; undefined if the account has KEYS_MAX keys
 */
export async function addKey(
  tx: Tx,
  { workspaceId, personId }: Pick<Actor, 'workspaceId' | 'personId'>,
  { name, scope, days }: NewApiKey,
  now: Date,
): Promise<{ row: KeyRow; key: string } | undefined> {
  if ((await keysOf(tx, workspaceId)).length >= KEYS_MAX) return undefined
  const [key, at] = [newKey(), now.getTime()]
  const row: KeyRow = {
    id: randomUUID(),
    workspace_id: workspaceId,
    name,
    scope,
    hash: hashOfToken(key),
    start: key.slice(0, START),
    made_at: at,
    ends_at: days === null ? null : at + days * DAY_MS,
    used_at: null,
    paused_at: null,
    made_by: personId,
  }
  await tx.insertInto('api_keys').values(row).execute()
  return { row, key }
}

/** An account's keys, newest first, with those that have ended. */
export async function keysOf(db: Db, workspaceId: WorkspaceId): Promise<KeyRow[]> {
  return rowsWhere(db, 'api_keys', { workspace_id: workspaceId })
    .orderBy('made_at', 'desc')
    .orderBy('id')
    .execute()
}

/** Turns a key on that was paused. Call it in `changeAccount`. */
export async function resumeKey(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('api_keys').set({ paused_at: null }).where('id', '=', id).execute()
}

export async function removeKey(db: Db, id: string): Promise<void> {
  await db.deleteFrom('api_keys').where('id', '=', id).execute()
}

export function presentKey(row: KeyRow): ApiKeyEntry {
  return {
    id: row.id,
    name: row.name,
    scope: row.scope as KeyScope,
    start: row.start,
    madeAt: iso(row.made_at),
    endsAt: iso(row.ends_at),
    lastUsedAt: iso(row.used_at),
    pausedAt: iso(row.paused_at),
  }
}
