import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { KeyScope } from '#contract/integrations/api-keys.ts'
import { APPS_MAX, type ConnectedApp } from '#contract/integrations/connected-apps.ts'
import { DAY_MS } from '#contract/time.ts'
import type { Actor } from '../../actor.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import { rowsWhere } from '../../database/rows.ts'
import type { Db, Tables, Tx } from '../../database/schema.ts'
import { BATCH, changedRows, inBatches } from '../../database/transact.ts'
import { iso } from '../../dates.ts'
import { hashOfToken } from '../sessions/sessions-store.ts'

export type AppRow = Selectable<Tables['connected_apps']>

/** The one thing that tokens open (RFC 8707, RFC 9728). */
export const resourceOf = (publicUrl: string) => `${publicUrl}/api/mcp`

/** How long an app stays connected, and stays so without a use: then it asks again. */
export const APP_MS = 365 * DAY_MS
export const IDLE_MS = 30 * DAY_MS

/** A text of another shape is not looked up. */
export const TOKEN = /^[\w-]{43}$/

/** Kinds of records whose ids open nothing: the others are stored hashed. */
const OPEN_IDS = new Set(['Client', 'Grant'])

/** The id of a record as the table has it. */
export const recordId = (kind: string, id: string) => (OPEN_IDS.has(kind) ? id : hashOfToken(id))

type NewApp = { clientId: string; name: string; host: string; scope: KeyScope }

/**
 * Connects an app, which stays registered for as long. Call it in `changeAccount`.
 * @returns its id; undefined if the account has APPS_MAX apps
 */
export async function addApp(
  tx: Tx,
  { workspaceId, personId }: Pick<Actor, 'workspaceId' | 'personId'>,
  { clientId, ...app }: NewApp,
  now: Date,
): Promise<string | undefined> {
  if ((await appsOf(tx, workspaceId)).length >= APPS_MAX) return undefined
  const [id, at] = [randomUUID(), now.getTime()]
  const made = { made_by: personId, made_at: at, used_at: null }
  const row = { id, workspace_id: workspaceId, ...app, ...made }
  await tx.insertInto('connected_apps').values(row).execute()
  const client = tx.updateTable('oauth_records').set({ ends_at: at + APP_MS })
  await client.where('kind', '=', 'Client').where('id', '=', clientId).execute()
  return id
}

/** An account's apps, newest first. */
export async function appsOf(db: Db, workspaceId: WorkspaceId): Promise<AppRow[]> {
  return rowsWhere(db, 'connected_apps', { workspace_id: workspaceId })
    .orderBy('made_at', 'desc')
    .orderBy('id')
    .execute()
}

/** Ends an app with all its tokens. @returns whose it was, undefined if it had ended */
export async function forgetApp(db: Db, id: string) {
  const app = db
    .deleteFrom('connected_apps')
    .where('id', '=', id)
    .returning(['workspace_id as workspaceId', 'made_by as userId'])
  const ended = await app.executeTakeFirst()
  await db.deleteFrom('oauth_records').where('app_id', '=', id).execute()
  return ended
}

/** Removes tokens, registrations and requests that have ended, and apps that have long made no call. */
export async function sweepApps(db: Db, now: Date): Promise<void> {
  const at = now.getTime()
  const ended = db.selectFrom('oauth_records').select(['kind', 'id']).where('ends_at', '<=', at)
  const some = ended.limit(BATCH).$asTuple('kind', 'id')
  const records = db
    .deleteFrom('oauth_records')
    .where((row) => row(row.refTuple('kind', 'id'), 'in', some))
  await inBatches(() => changedRows(records))
  const idle = db
    .selectFrom('connected_apps')
    .select('id')
    .where((row) => row(row.fn.coalesce('used_at', 'made_at'), '<=', at - IDLE_MS))
  for (const { id } of await idle.execute()) await forgetApp(db, id)
}

export function presentApp(row: AppRow): ConnectedApp {
  return {
    id: row.id,
    name: row.name,
    host: row.host,
    scope: row.scope as KeyScope,
    madeAt: iso(row.made_at),
    lastUsedAt: iso(row.used_at),
  }
}
