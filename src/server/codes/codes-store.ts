import { type NotNull, type Selectable, sql, type Updateable } from 'kysely'
import type { PlanUse } from '#contract/billing/billing.ts'
import { UNLIMITED } from '#contract/billing/plans.ts'
import { foldedTag, LIST_MAX, uuidOf } from '#contract/codes/code-values.ts'
import type { CodeChange } from '#contract/codes/codes.ts'
import { batchesOf } from '../batches.ts'
import type { WorkspaceId } from '../database/ids.ts'
import { insertRows } from '../database/json-rows.ts'
import type { Db, Tables, Tx } from '../database/schema.ts'
import { changesRow } from '../database/transact.ts'
import { AppError, invalidInput, refusedAt } from '../http/errors.ts'
import type { CodeDeps, CodeDomain, EndingCode } from './types.ts'

export type CodeRow = Selectable<Tables['codes']>

/** A code in the trash. */
export type DeletedRow = CodeRow & { deleted_at: number }

/**
 * The id of a code in a path. Any other text is answered like the id of a missing code, and never
 * reaches the database.
 * @throws AppError code_not_found
 */
export function codeIdFrom(text: string): string {
  const id = uuidOf(text)
  if (!id) throw new AppError('code_not_found')
  return id
}

/** A code or draft of this account by the id in a path, or else one that is in the trash. @throws AppError code_not_found */
export async function ownCode(
  db: Db,
  workspaceId: WorkspaceId,
  text: string,
  isDeleted: 'is' | 'is not' = 'is',
): Promise<CodeRow> {
  const row = await db
    .selectFrom('codes')
    .selectAll()
    .where('id', '=', codeIdFrom(text))
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', isDeleted, null)
    .executeTakeFirst()
  if (!row) throw new AppError('code_not_found')
  return row
}

/** The account's codes with these ids, in their order, each as often as it is asked for. @throws AppError code_not_found */
export async function ownCodes(
  db: Db,
  workspaceId: WorkspaceId,
  ids: readonly string[],
): Promise<CodeRow[]> {
  const asked = ids.map(codeIdFrom)
  const rows = await listedByIds(db, workspaceId, asked)
  if (rows.length < asked.length) throw new AppError('code_not_found')
  return rows
}

/** These listed codes of an account, in the order of their ids here. */
export async function listedByIds(
  db: Db,
  workspaceId: WorkspaceId,
  ids: readonly string[],
): Promise<CodeRow[]> {
  if (ids.length === 0) return []
  const rows = await selectListed(db, workspaceId)
    .selectAll()
    .where('id', 'in', [...ids])
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => byId.get(id)).filter((row) => row !== undefined)
}

/** The account's code or draft with this id of its owner, also in the trash. */
export async function findByExternalId(db: Db, workspaceId: WorkspaceId, externalId: string) {
  return db
    .selectFrom('codes')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('external_id', '=', externalId)
    .executeTakeFirst()
}

/** Returns which ids of their owner two of these codes have, or another one of the account, also in the trash. */
export async function takenIds(
  db: Db,
  workspaceId: WorkspaceId,
  rows: readonly Pick<CodeRow, 'id' | 'external_id'>[],
) {
  const wanted = rows.flatMap(({ external_id }) => external_id ?? [])
  const found = wanted.length === 0 ? [] : await othersWith(db, workspaceId, wanted)
  const own = new Set(rows.map(({ id }) => id))
  const taken = new Set(found.filter(({ id }) => !own.has(id)).map((row) => row.external_id))
  const seen = new Set<string>()
  for (const id of wanted) (seen.has(id) ? taken : seen).add(id)
  return (id: string) => taken.has(id)
}

const othersWith = (db: Db, workspaceId: WorkspaceId, externalIds: string[]) =>
  db
    .selectFrom('codes')
    .select(['id', 'external_id'])
    .where('workspace_id', '=', workspaceId)
    .where('external_id', 'in', externalIds)
    .execute()

/** Refuses a code whose owner has its id for another one. @throws AppError external_id_taken */
export async function refuseTakenId(tx: Tx, row: CodeRow): Promise<void> {
  const isTaken = await takenIds(tx, row.workspace_id, [row])
  if (isTaken(row.external_id ?? '')) throw refusedAt('external_id_taken', 'externalId')
}

/** The domain of a code after a change. @throws AppError invalid_input, at `domain` */
export async function domainAfter(
  db: Db,
  { domainOf }: Pick<CodeDeps, 'domainOf'>,
  workspaceId: WorkspaceId,
  { domain: host }: Pick<CodeChange, 'domain'>,
  current: CodeDomain | null,
): Promise<CodeDomain | null> {
  if (host === undefined || host === (current?.host ?? null)) return current
  if (host === null) return null
  const domain = await domainOf(db, workspaceId, host)
  if (!domain) throw invalidInput([{ path: 'domain', message: 'You don’t have this domain' }])
  return domain
}

/** The domain of a code, or of an import */
export const domainOfRow = ({ domain, domain_id }: Pick<CodeRow, 'domain' | 'domain_id'>) =>
  domain !== null && domain_id !== null ? { host: domain, id: domain_id } : null

/** The codes in an account's list: saved, and not in the trash. */
export function selectListed(db: Db, workspaceId: WorkspaceId) {
  return selectLive(db).where('workspace_id', '=', workspaceId)
}

/** An account's listed codes that have a tag, by its name, whatever its capitals; at most `limit` of them. */
export function codesWithTag(db: Db, workspaceId: WorkspaceId, tag: string, limit: number) {
  return selectListed(db, workspaceId)
    .selectAll()
    .where('codes.id', 'in', idsWithTag(db, workspaceId, tag))
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** The ids of an account's codes that have a tag */
export const idsWithTag = (db: Db, workspaceId: WorkspaceId, tag: string) =>
  db
    .selectFrom('code_tags')
    .innerJoin('tags', 'tags.id', 'code_tags.tag_id')
    .select('code_tags.code_id')
    .where('tags.workspace_id', '=', workspaceId)
    .where('tags.folded', '=', foldedTag(tag))

/** The codes of an account that are neither paused nor over nor yet to begin. */
export async function workingIds(db: Db, workspaceId: WorkspaceId, now: Date): Promise<string[]> {
  const at = now.getTime()
  const rows = await selectListed(db, workspaceId)
    .leftJoin('counted_scans', 'counted_scans.code_id', 'codes.id')
    .select('codes.id')
    .where('paused_at', 'is', null)
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>=', at)]))
    .where((row) => row.or([row('ends_at', 'is', null), row('ends_at', '>', at)]))
    .where((row) => row.or([row('starts_at', 'is', null), row('starts_at', '<=', at)]))
    .where(sql<boolean>`coalesce(scans, 0) < coalesce(scan_limit, coalesce(scans, 0) + 1)`)
    .execute()
  return rows.map(({ id }) => id)
}

/** The codes that people may scan: neither a draft nor in the trash. */
export function selectLive(db: Db) {
  return db.selectFrom('codes').where('saved_at', 'is not', null).where('deleted_at', 'is', null)
}

/** The columns of a code that have numbers */
const BIGINTS = [
  'compact',
  'pass_query',
  'created_at',
  'saved_at',
  'paused_at',
  'expires_at',
  'starts_at',
  'ends_at',
  'scan_limit',
  'checks_destination',
  'fallback_when_dead',
  'health_since',
  'changed_at',
  'deleted_at',
  'version',
] as const

/** Writes new codes or drafts, whose names have been claimed. The row of a draft becomes that of its code. */
export async function insertCodes(tx: Tx, rows: readonly CodeRow[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).map((name) => sql.ref(name))
  const fromDraft = columns.map((column) => sql`${column} = excluded.${column}`)
  const ending = sql`on conflict (id) do update set ${sql.join(fromDraft)}`
  await insertRows(tx, 'codes', BIGINTS, rows, ending)
}

/** Changes columns of a code; false if a sweep has removed it. The caller has checked whose it is, under `lockWorkspace`. */
export async function updateCode(
  tx: Tx,
  id: string,
  change: Updateable<Tables['codes']>,
): Promise<boolean> {
  return changesRow(
    tx
      .updateTable('codes')
      .set({ ...change, id })
      .where('id', '=', id),
  )
}

/** Changes columns of codes, each of which gets its next version. The caller has checked whose they are. */
export async function updateCodes(
  tx: Tx,
  ids: readonly string[],
  change: Updateable<Tables['codes']>,
): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('codes')
    .set(change)
    .set((row) => ({ version: row('version', '+', 1) }))
    .where('id', 'in', [...ids])
    .execute()
}

/** Open drafts of an account, oldest first. */
export async function draftIds(tx: Tx, workspaceId: WorkspaceId): Promise<string[]> {
  const rows = await tx
    .selectFrom('codes')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('saved_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => row.id)
}

/** Deletes drafts for good. The caller releases their names: see paths-store.ts. */
export async function removeCodes(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom('codes').where('id', 'in', ids).execute()
}

/** Removes the expiry of all codes of an account, also in the trash; returns their ids. */
export async function clearExpiry(tx: Tx, workspaceId: WorkspaceId): Promise<string[]> {
  const rows = await tx
    .updateTable('codes')
    .set({ expires_at: null })
    .where('workspace_id', '=', workspaceId)
    .where('expires_at', 'is not', null)
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

/** Ids in one statement, below the parameter limits of both engines. */
const IDS_MAX = 10_000

/** The accounts and versions of codes, drafts too, by id. */
export async function ownedCodes(
  db: Db,
  ids: string[],
): Promise<Map<string, { workspaceId: WorkspaceId; version: number }>> {
  const codes = new Map<string, { workspaceId: WorkspaceId; version: number }>()
  for (const some of batchesOf(ids, IDS_MAX)) {
    const rows = await db
      .selectFrom('codes')
      .select(['id', 'workspace_id', 'version'])
      .where('id', 'in', some)
      .execute()
    for (const { id, workspace_id: workspaceId, version } of rows)
      codes.set(id, { workspaceId, version })
  }
  return codes
}

/** The accounts of codes, drafts too, by id. */
export async function ownersOf(db: Db, ids: string[]): Promise<Map<string, WorkspaceId>> {
  const codes = await ownedCodes(db, ids)
  return new Map([...codes].map(([id, { workspaceId }]) => [id, workspaceId]))
}

/** Working codes that stop between two instants, by account; those of at most `limit` accounts after one. */
export async function endingCodes(
  db: Db,
  { from, until, after, limit }: { from: number; until: number; after: string; limit: number },
): Promise<EndingCode[]> {
  const ending = selectLive(db)
    .where('expires_at', '>', from)
    .where('expires_at', '<=', until)
    .where('paused_at', 'is', null)
  return ofAccounts(ending, { after, limit })
    .select(['id', 'workspace_id as workspaceId', 'name', 'expires_at as expiresAt'])
    .orderBy('expires_at')
    .orderBy('id')
    .$narrowType<{ expiresAt: NotNull }>()
    .execute()
}

/** Those of these codes that belong to the next accounts, at most `limit`, after one; by account */
export function ofAccounts(
  codes: ReturnType<typeof selectLive>,
  { after, limit }: { after: string; limit: number },
) {
  const owners = codes
    .select('workspace_id')
    .distinct()
    .where('workspace_id', '>', after as WorkspaceId)
    .orderBy('workspace_id')
    .limit(limit)
  return codes.where('workspace_id', 'in', owners).orderBy('workspace_id')
}

/** The codes of these accounts that stopped working after `from`, up to `until`; LIST_MAX of them at most. */
export async function expiredCodes(
  db: Db,
  { workspaceIds, from, until }: { workspaceIds: WorkspaceId[]; from: number; until: number },
): Promise<CodeRow[]> {
  return selectLive(db)
    .selectAll()
    .where('expires_at', '>', from)
    .where('expires_at', '<=', until)
    .where('workspace_id', 'in', workspaceIds)
    .orderBy('expires_at')
    .limit(LIST_MAX)
    .execute()
}

/** How many slots of its plan an account uses: one for each saved code. */
export async function usedSlots(db: Db, workspaceId: WorkspaceId): Promise<number> {
  const row = await db
    .selectFrom('code_usage')
    .select('used')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return row?.used ?? 0
}

/**
 * Takes a slot, or several, if enough are free. The database decides, so that no two requests get the
 * last one. Call `lockWorkspace` before.
 */
export async function takeSlots(
  tx: Tx,
  workspaceId: WorkspaceId,
  limit: number,
  slots = 1,
): Promise<boolean> {
  const unused = tx.insertInto('code_usage').values({ workspace_id: workspaceId, used: 0 })
  await unused.onConflict((conflict) => conflict.column('workspace_id').doNothing()).execute()
  let update = tx
    .updateTable('code_usage')
    .set((row) => ({ used: row('used', '+', slots) }))
    .where('workspace_id', '=', workspaceId)
  if (limit !== UNLIMITED) update = update.where('used', '<=', limit - slots)
  return changesRow(update)
}

/** Gives back a slot that `takeSlots` took. Call `lockWorkspace` before. */
export async function freeSlot(tx: Tx, workspaceId: WorkspaceId): Promise<void> {
  await tx
    .updateTable('code_usage')
    .set((row) => ({ used: row('used', '-', 1) }))
    .where('workspace_id', '=', workspaceId)
    .execute()
}

/** Removes the count of a code's scans: the redirect begins a new one. */
export async function forgetCount(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('counted_scans').where('code_id', '=', id).execute()
}

/** How many of an account's codes have their links on each domain, by its id. */
export async function codesByDomain(
  db: Db,
  workspaceId: WorkspaceId,
): Promise<Map<string, number>> {
  const rows = await selectListed(db, workspaceId)
    .select(({ fn }) => ['domain_id', fn.countAll().as('codes')])
    .where('domain_id', 'is not', null)
    .groupBy('domain_id')
    .execute()
  return new Map(rows.map(({ domain_id, codes }) => [domain_id ?? '', Number(codes)]))
}

/** How many of an account's codes a change of plan touches. */
export async function planUse(db: Db, workspaceId: WorkspaceId): Promise<PlanUse> {
  const row = await selectListed(db, workspaceId)
    .select(({ fn }) => [
      fn.countAll().as('codes'),
      fn.count('vanity_url').as('customPaths'),
      fn.count('expires_at').as('ending'),
    ])
    .executeTakeFirstOrThrow()
  return {
    codes: Number(row.codes),
    customPaths: Number(row.customPaths),
    ending: Number(row.ending),
  }
}
