import type { Updateable } from 'kysely'
import type { Domain } from '#contract/integrations/domains.ts'
import type { WorkspaceId } from '../database/ids.ts'
import { rowsWhere, updateWhere } from '../database/rows.ts'
import type { Db, Tables, Tx } from '../database/schema.ts'
import { type DomainRow, presentDomain } from './judge.ts'

/** An account's claims, the oldest first. */
export function domainsOf(db: Db, workspaceId: WorkspaceId): Promise<DomainRow[]> {
  return rowsWhere(db, 'domains', { workspace_id: workspaceId })
    .orderBy('added_at')
    .orderBy('id')
    .execute()
}

/** The same as the calls return them. @param ours this server's host; @param codes how many have their links on each */
export async function presentDomains(
  db: Db,
  {
    workspaceId,
    ours,
    codes,
  }: { workspaceId: WorkspaceId; ours: string; codes: ReadonlyMap<string, number> },
): Promise<Domain[]> {
  const rows = await domainsOf(db, workspaceId)
  return rows.map((row) => presentDomain(row, ours, codes.get(row.id) ?? 0))
}

/** The caller has checked whose it is. */
export async function changeDomain(tx: Tx, id: string, change: Updateable<Tables['domains']>) {
  await tx.updateTable('domains').set(change).where('id', '=', id).execute()
}

/** Makes none of an account's domains the one for new codes. */
export async function clearDefault(tx: Tx, workspaceId: WorkspaceId): Promise<void> {
  await updateWhere(tx, 'domains', { workspace_id: workspaceId }).set({ is_default: 0 }).execute()
}

export async function removeDomain(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('domains').where('id', '=', id).execute()
}

/**
 * All claims to a host, the oldest first. The transactions that ask for them take turns, also on
 * PostgreSQL: each reads what the one before it wrote.
 */
export async function lockClaims(tx: Tx, host: string): Promise<DomainRow[]> {
  const claims = await updateWhere(tx, 'domains', { host })
    .set((row) => ({ host: row.ref('host') }))
    .returningAll()
    .execute()
  return claims.sort((one, other) => one.added_at - other.added_at || (one.id < other.id ? -1 : 1))
}

/** Hosts whose check is due, the longest due first. */
export async function dueHosts(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('domains')
    .select('host')
    .where('check_at', '<=', now.getTime())
    .groupBy('host')
    .orderBy(({ fn }) => fn.min('check_at'))
    .limit(limit)
    .execute()
  return rows.map(({ host }) => host)
}

/** Removed claims whose time is over. */
export function endedDomains(db: Db, now: Date): Promise<DomainRow[]> {
  const ended = db.selectFrom('domains').selectAll().where('ends_at', '<=', now.getTime())
  return ended.limit(100).execute()
}

/** The domain of this host, if the account has it and has not given it up. */
export function domainOf(db: Db, workspaceId: WorkspaceId, host: string) {
  return hadBy(db, workspaceId).where('host', '=', host).executeTakeFirst()
}

/** The domain of an account's new codes */
export async function domainOfNew(db: Db, workspaceId: WorkspaceId) {
  return (await hadBy(db, workspaceId).where('is_default', '=', 1).executeTakeFirst()) ?? null
}

function hadBy(db: Db, workspaceId: WorkspaceId) {
  const claims = rowsWhere(db, 'domains', { workspace_id: workspaceId, ends_at: null })
  return claims.where('held', 'is not', null)
}

/** Every host that is held: names lead on it. */
export function heldDomains(db: Db) {
  return db
    .selectFrom('domains')
    .select(['id', 'workspace_id as workspaceId', 'host', 'home_url as homeUrl'])
    .where('held', 'is not', null)
    .execute()
}

/** Removes what a deleted account had. */
export async function forgetDomains(db: Db, workspaceId: WorkspaceId): Promise<void> {
  await db.deleteFrom('domains').where('workspace_id', '=', workspaceId).execute()
}
