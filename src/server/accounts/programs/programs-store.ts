import type { KeyScope } from '#contract/integrations/api-keys.ts'
import { MINUTE_MS } from '#contract/time.ts'
import { PROOF_TABLES } from '../../actor.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import { rowsWhere } from '../../database/rows.ts'
import type { Db } from '../../database/schema.ts'
import { hashOfToken } from '../sessions/sessions-store.ts'
import { recordId, TOKEN } from './apps-store.ts'
import { KEY } from './keys-store.ts'

/** A key or a connected app, as each of its calls reads it. */
export type Program = {
  kind: 'key' | 'app'
  id: string
  workspace_id: WorkspaceId
  name: string
  scope: KeyScope
  /** Null for what has no end of its own */
  ends_at: number | null
  used_at: number | null
  paused_at: number | null
}

/**
 * The program that sends a token, of any account. A key may have ended. An app is found by a token that was issued
 * for this resource and has not ended. A token may have less scope than its app (RFC 6749 §6).
 */
export async function findProgram(
  db: Db,
  token: string,
  { resource, now }: { resource: string; now: Date },
): Promise<Program | undefined> {
  if (KEY.test(token)) {
    const key = await rowsWhere(db, 'api_keys', { hash: hashOfToken(token) }).executeTakeFirst()
    return key && { ...key, kind: 'key', scope: key.scope as KeyScope }
  }
  if (!TOKEN.test(token)) return undefined
  const app = await db
    .selectFrom('oauth_records')
    .innerJoin('connected_apps as app', 'app.id', 'oauth_records.app_id')
    .select(['app.id', 'app.workspace_id', 'app.name', 'app.scope', 'app.used_at'])
    .select('oauth_records.scope as given')
    .where('oauth_records.kind', '=', 'AccessToken')
    .where('oauth_records.id', '=', recordId('AccessToken', token))
    .where('oauth_records.resource', '=', resource)
    .where('oauth_records.ends_at', '>', now.getTime())
    .executeTakeFirst()
  if (!app) return undefined
  const { given, ...row } = app
  const scope = given?.split(' ').includes('write') ? (row.scope as KeyScope) : 'read'
  return { ...row, kind: 'app', scope, ends_at: null, paused_at: null }
}

/** How often `used_at` is written at most */
const USED_EVERY_MS = MINUTE_MS

/** Notes that a program was used, at most once a minute, also after the clock was set back. */
export async function noteUse(db: Db, { kind, id, used_at }: Program, now: Date): Promise<void> {
  const at = now.getTime()
  if (used_at !== null && Math.abs(at - used_at) < USED_EVERY_MS) return
  await db.updateTable(PROOF_TABLES[kind]).set({ used_at: at }).where('id', '=', id).execute()
}
