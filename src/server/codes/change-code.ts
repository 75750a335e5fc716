import { isDeepStrictEqual } from 'node:util'
import type { QrCode } from '#contract/codes/codes.ts'
import { type ConditionHeaders, meetsConditions } from '#contract/request-headers.ts'
import { type Actor, lockWorkspace, transactAs } from '../actor.ts'
import type { Entitlements } from '../billing/types.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { Tables, Tx } from '../database/schema.ts'
import { AppError, invalidInput } from '../http/errors.ts'
import { onlyRead } from '../http/input/json-body.ts'
import { count } from '../http/limits/counts-store.ts'
import { announceAfter, publishCodes } from './announce-codes.ts'
import { keepState } from './code-states-store.ts'
import {
  type CodeRow,
  clearExpiry,
  domainAfter,
  domainOfRow,
  findByExternalId,
  forgetCount,
  freeSlot,
  ownCode,
  ownCodes,
  refuseTakenId,
  removeCodes,
  takeSlots,
  updateCode,
  updateCodes,
} from './codes-store.ts'
import { createCode, saveDraft } from './create-codes.ts'
import { changeCustomPath, keysOf, releaseKeys, retireCustomPath } from './paths-store.ts'
import { presentCode } from './presenter.ts'
import {
  isCounted,
  mergedArtwork,
  namesLimit,
  namesOver,
  planLimitReached,
  refuseOwnLinks,
  rowAfter,
  type WholeChange,
} from './rules.ts'
import { refuseForeignLogo } from './styles/logos.ts'
import { replaceTags } from './tags/give-tags.ts'
import { tagsOf } from './tags/tags-store.ts'
import type { CodeDeps, CodeEvent, HashedChange, HashedCode } from './types.ts'

/**
 * Changes a code; a draft becomes a code at the first change that carries name and destination. With
 * a condition only the version that it names is changed.
 * @throws AppError code_not_found, changed_elsewhere, plan_limit_reached, custom_path_not_in_plan, artwork_not_in_plan, custom_path_taken,
 * former_paths_full, tags_full, rate_limited, invalid_input
 */
export async function changeCode(
  deps: CodeDeps,
  actor: Actor,
  id: string,
  change: HashedChange,
  { headers = {}, readOnly = {} }: Conditions = {},
): Promise<QrCode> {
  return transactAs(deps.db, actor, async (tx) => {
    const row = await ownCode(tx, actor.workspaceId, id)
    if (!meetsConditions(headers, row.version)) throw new AppError('changed_elsewhere')
    refuseOtherValues(presentCode(row, deps.publicUrl, []), readOnly)
    return changeRow(deps, tx, actor, row, change)
  })
}

/** The conditions of a change */
type Conditions = {
  headers?: ConditionHeaders
  /** Fields that only answers have, and the values that the code has to have in them */
  readOnly?: Record<string, unknown>
}

/** @throws AppError invalid_input, or changed_elsewhere for another version */
function refuseOtherValues(code: QrCode, readOnly: Record<string, unknown>): void {
  const others = Object.entries(readOnly).filter(([name, value]) => {
    // The checks may have run since the program read the code.
    if (name === 'health' || (name === 'legibility' && value === null)) return false
    return !isDeepStrictEqual(value, code[name as keyof QrCode])
  })
  if (others.some(([name]) => name === 'version')) throw new AppError('changed_elsewhere')
  if (others.length > 0) throw invalidInput(others.map(([name]) => onlyRead(name)))
}

/** Changes a code in a transaction that has locked its account. @throws AppError as `changeCode` */
export async function changeRow(
  deps: CodeDeps,
  tx: Tx,
  actor: Actor,
  row: CodeRow,
  { artwork: parts, ...others }: HashedChange,
): Promise<QrCode> {
  const { id, workspace_id: workspaceId } = row
  const change: WholeChange =
    parts === undefined ? others : { ...others, artwork: mergedArtwork(row.artwork, parts) }
  refuseOwnLinks(change, deps.publicUrl)
  const now = deps.clock()
  const plan = await deps.entitlementsOf(tx, workspaceId)
  if (change.artwork) await refuseForeignLogo(tx, workspaceId, change.artwork)
  const { tags } = change
  const hasNewTags = tags !== undefined && (await replaceTags(tx, workspaceId, { id, tags }, now))
  const domain = await domainAfter(tx, deps, workspaceId, change, domainOfRow(row))
  const moved = { ...row, domain: domain?.host ?? null, domain_id: domain?.id ?? null }
  const columns = differing(row, rowAfter(moved, change, plan, now))
  const isChanged = hasNewTags || Object.keys(columns).length > 0
  const by = isChanged ? { changed_by: actor.personId || null, changed_at: now.getTime() } : {}
  const after = { ...row, ...columns, ...by, version: row.version + Number(isChanged) }
  if (columns.external_id) await refuseTakenId(tx, after)
  if (row.saved_at === null && change.name !== undefined && change.url !== undefined) {
    if (row.vanity_url !== null) await retireCustomPath(tx, id)
    return afterChange(deps, tx, actor, await saveDraft(deps, tx, actor, after, plan, now), [])
  }
  if (columns.vanity_url !== undefined || columns.domain_id !== undefined) {
    const isNew = await changeCustomPath(tx, after, now)
    if (isNew) await count(tx, namesLimit(plan), workspaceId, now, namesOver)
  }
  if (isChanged && !(await updateCode(tx, id, { ...columns, ...by, version: after.version }))) {
    throw new AppError('code_not_found')
  }
  // Scans since an earlier count were not counted: the next one counts on from all that the code has.
  if (isCounted(after) && !isCounted(row)) await forgetCount(tx, id)
  const changed = row.saved_at === null ? [] : await keepState(tx, actor, row, after, now)
  const events = eventsOf(row, columns, hasNewTags)
  return afterChange(deps, tx, actor, after, events, { type: 'code.updated', changed })
}

/**
 * Makes the code with this id of its owner, or changes the one that has it, which leaves the trash if it was there.
 * For the conditions a code in the trash is not there.
 * @throws AppError as `changeCode`
 */
export async function putCode(
  deps: CodeDeps,
  actor: Actor,
  externalId: string,
  { wanted, headers = {}, readOnly = {} }: { wanted: HashedCode } & Conditions,
): Promise<{ code: QrCode; isNew: boolean }> {
  if (wanted.externalId !== undefined && wanted.externalId !== externalId) {
    throw invalidInput([{ path: 'externalId', message: 'Has to be the id in the address' }])
  }
  const change = () =>
    transactAs(deps.db, actor, async (tx) => {
      const row = await findByExternalId(tx, actor.workspaceId, externalId)
      const version = row?.deleted_at === null ? row.version : null
      if (!meetsConditions(headers, version)) throw new AppError('changed_elsewhere')
      if (!row) return undefined
      refuseOtherValues(presentCode(row, deps.publicUrl, []), readOnly)
      if (row.deleted_at !== null) await restoreRow(deps, tx, actor, row)
      return changeRow(deps, tx, actor, { ...row, deleted_at: null }, wanted)
    })
  const changed = await change()
  if (changed) return { code: changed, isNew: false }
  if (Object.keys(readOnly).length > 0) throw invalidInput(Object.keys(readOnly).map(onlyRead))
  try {
    const code = await createCode(deps, actor, { ...wanted, externalId })
    return { code, isNew: true }
  } catch (error) {
    // Another request was quicker.
    const code = isTaken(error) ? await change() : undefined
    if (!code) throw error
    return { code, isNew: false }
  }
}

const isTaken = (error: unknown) => error instanceof AppError && error.code === 'external_id_taken'

/** The columns that a change has changed. */
function differing(row: CodeRow, after: CodeRow): Partial<CodeRow> {
  const columns = Object.entries(after) as [keyof CodeRow, never][]
  return Object.fromEntries(columns.filter(([column, value]) => row[column] !== value))
}

/** The events of a change. A draft that stays one, and a save without a change, have none. */
function eventsOf(
  { saved_at, paused_at }: CodeRow,
  { paused_at: paused, legibility: _, legibility_of: __, ...content }: Partial<CodeRow>,
  hasNewTags: boolean,
): CodeEvent[] {
  if (saved_at === null) return []
  const events: CodeEvent[] = []
  if (hasNewTags || Object.keys(content).length > 0) events.push('code-changed')
  if (paused !== undefined) events.push(paused_at === null ? 'code-paused' : 'code-resumed')
  return events
}

/** Records and publishes a change in its transaction, and announces it after the commit. Returns the changed code. */
async function afterChange(
  deps: CodeDeps,
  tx: Tx,
  actor: Actor,
  row: CodeRow,
  events: readonly CodeEvent[],
  news: Parameters<typeof publishCodes>[3] = { type: 'code.updated' },
): Promise<QrCode> {
  const { id, workspace_id: workspaceId } = row
  for (const event of events) await deps.record(tx, actor, event, id)
  if (events.length > 0) await publishCodes(deps, tx, [row], news)
  const tagsBy = await tagsOf(tx, workspaceId, [id])
  const code = presentCode(row, deps.publicUrl, tagsBy(row))
  announceAfter(deps, tx, [{ ...row, legibility: code.legibility }], await keysOf(tx, [id]))
  return code
}

/**
 * Changes several codes of an account in one transaction: each gets its next version and an event. Returns them.
 * @param change returns which codes it changes, and their new columns
 */
export async function changeCodes(
  deps: Omit<CodeDeps, 'clock'>,
  actor: Actor,
  change: (tx: Tx) => Promise<{ ids: string[]; columns: Partial<Tables['codes']> }>,
): Promise<CodeRow[]> {
  return transactAs(deps.db, actor, async (tx) => {
    const { ids, columns } = await change(tx)
    await updateCodes(tx, ids, columns)
    for (const id of ids) await deps.record(tx, actor, 'code-changed', id)
    const rows = await ownCodes(tx, actor.workspaceId, ids)
    await publishCodes(deps, tx, rows, { type: 'code.updated' })
    // No name leads elsewhere.
    announceAfter(deps, tx, rows, [])
    return rows
  })
}

/** Moves a code to the trash: its links stop at once. A draft is deleted. @throws AppError code_not_found, changed_elsewhere */
export async function deleteCode(
  deps: CodeDeps,
  actor: Actor,
  id: string,
  headers: ConditionHeaders = {},
): Promise<void> {
  return transactAs(deps.db, actor, async (tx) => {
    const row = await ownCode(tx, actor.workspaceId, id)
    if (!meetsConditions(headers, row.version)) throw new AppError('changed_elsewhere')
    return deleteRow(deps, tx, actor, row)
  })
}

/** Moves a code to the trash, or deletes a draft, in a transaction that has locked its account. */
export async function deleteRow(deps: CodeDeps, tx: Tx, actor: Actor, row: CodeRow): Promise<void> {
  const { id, workspace_id: workspaceId } = row
  if (row.saved_at === null) {
    await releaseKeys(tx, [id])
    await removeCodes(tx, [id])
    return
  }
  await updateCode(tx, id, { deleted_at: deps.clock().getTime() })
  await freeSlot(tx, workspaceId)
  await deps.record(tx, actor, 'code-deleted', id)
  await publishCodes(deps, tx, [row], { type: 'code.deleted' })
  announceAfter(deps, tx, [], await keysOf(tx, [id]))
}

/** Takes a code out of the trash, if a slot is free. @throws AppError code_not_found, plan_limit_reached */
export async function restoreCode(deps: CodeDeps, actor: Actor, id: string): Promise<QrCode> {
  return transactAs(deps.db, actor, async (tx) => {
    return restoreRow(deps, tx, actor, await ownCode(tx, actor.workspaceId, id, 'is not'))
  })
}

async function restoreRow(deps: CodeDeps, tx: Tx, actor: Actor, row: CodeRow): Promise<QrCode> {
  const { id, workspace_id: workspaceId } = row
  if (!(await updateCode(tx, id, { deleted_at: null }))) throw new AppError('code_not_found')
  const plan = await deps.entitlementsOf(tx, workspaceId)
  if (!(await takeSlots(tx, workspaceId, plan.codeLimit))) throw planLimitReached(plan)
  return afterChange(deps, tx, actor, { ...row, deleted_at: null }, ['code-restored'], {
    type: 'code.created',
  })
}

/**
 * Takes the end from a code, on a plan whose codes do not end: an expired one works again at once.
 * @throws AppError code_not_found, revival_not_in_plan
 */
export async function reviveCode(deps: CodeDeps, actor: Actor, id: string): Promise<QrCode> {
  return transactAs(deps.db, actor, async (tx) => {
    const row = await ownCode(tx, actor.workspaceId, id)
    if (row.saved_at === null) throw new AppError('code_not_found')
    const { expiryDays } = await deps.entitlementsOf(tx, actor.workspaceId)
    if (expiryDays !== null) throw new AppError('revival_not_in_plan')
    if (row.expires_at === null) return afterChange(deps, tx, actor, row, [])
    await updateCode(tx, id, { expires_at: null })
    return afterChange(deps, tx, actor, { ...row, expires_at: null }, ['code-revived'])
  })
}

/**
 * A plan without expiry removes the expiry of all codes; a lapsed plan never adds one. It waits for a
 * first save on the old plan, whose expiry would stay otherwise. Returns the names to announce.
 */
export async function applyPlan(
  tx: Tx,
  workspaceId: WorkspaceId,
  { expiryDays }: Pick<Entitlements, 'expiryDays'>,
): Promise<string[]> {
  if (expiryDays !== null) return []
  await lockWorkspace(tx, workspaceId)
  const ids = await clearExpiry(tx, workspaceId)
  return keysOf(tx, ids)
}
