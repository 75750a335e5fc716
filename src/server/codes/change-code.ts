import { randomUUID } from 'node:crypto'
import type { CodeChange, QrCode } from '#contract/codes.ts'
import { type IfMatch, isMatch } from '#contract/if-match.ts'
import type { LookFields } from '#contract/pictures/pictures.ts'
import type { Clock } from '../clock.ts'
import type { Db, Tx } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { AppError, invalidInput } from '../http/errors.ts'
import { count } from '../http/limits/counts-store.ts'
import { type CodeEvent, happened } from './code-events.ts'
import { type PublishCodes, publishCodes } from './code-news.ts'
import {
  type CodeRow,
  clearExpiry,
  draftIds,
  findCode,
  findDeleted,
  insertCode,
  markDeleted,
  markRestored,
  markSaved,
  removeCodes,
  updateCode,
} from './codes-store.ts'
import { changeCustomPath, claimShortCode, keysOf, releaseKeys } from './paths-store.ts'
import { presentCode } from './presenter.ts'
import {
  DRAFTS_MAX,
  type Entitlements,
  expiryOf,
  formsUsedUp,
  hasFreeSlot,
  lookAfter,
  namesUsedUp,
  planLimitReached,
  refuseOwnLinks,
  wantedArtwork,
  wantedPath,
} from './rules.ts'
import { hasLogo } from './styles/logos-store.ts'
import { columnsOf } from './styles/style-rules.ts'
import { lookOfNew } from './styles/styles-store.ts'
import { giveTags } from './tags/give-tags.ts'
import { tagsOf } from './tags/tags-store.ts'
import { freeSlot, lockAccount, takeSlot } from './usage-store.ts'

export type LifecycleDeps = {
  db: Db
  clock: Clock
  publicUrl: string
  entitlementsOf: (tx: Db, userId: string) => Promise<Entitlements>
  /** Writes down, in the transaction of a change, what was done to a code and by whom. */
  record: (tx: Tx, event: CodeEvent, id: string) => Promise<void>
  /** Writes down, in the transaction of a change, what the account's webhooks are told. */
  publish: PublishCodes
  /** Called after the commit with the names whose target has changed. */
  onCodeChanged: (keys: string[]) => void
  /** Called after the commit with the id of a code that has no verdict yet, and its owner's. */
  onUnchecked: (id: string, userId: string) => void
}

/** Makes a draft: each form that opens gets its own. @throws AppError plan_limit_reached, rate_limited */
export async function makeDraft(deps: LifecycleDeps, userId: string): Promise<QrCode> {
  return transact(deps.db, async (tx) => {
    const used = await lockAccount(tx, userId)
    const entitlements = await deps.entitlementsOf(tx, userId)
    if (!hasFreeSlot(entitlements, used)) throw planLimitReached(entitlements)
    await count(tx, 'drafts', userId, deps.clock(), { message: formsUsedUp })
    await makeRoomForDraft(tx, userId)
    const look = await lookOfNew(tx, userId, entitlements)
    const draft = await newDraft(tx, userId, look, deps.clock())
    await insertCode(tx, draft)
    return presentCode(draft, deps.publicUrl, [])
  })
}

/** Deletes the oldest draft. Its row is not used again, or two open forms would share one code. */
async function makeRoomForDraft(tx: Tx, userId: string): Promise<void> {
  const drafts = await draftIds(tx, userId)
  const surplus = drafts.slice(0, Math.max(0, drafts.length - DRAFTS_MAX + 1))
  await releaseKeys(tx, surplus)
  await removeCodes(tx, surplus)
}

export async function newDraft(
  tx: Tx,
  userId: string,
  look: LookFields,
  now: Date,
): Promise<CodeRow> {
  const id = randomUUID()
  return {
    id,
    user_id: userId,
    name: '',
    url: '',
    vanity_url: null,
    short_code: await claimShortCode(tx, id, now),
    ...columnsOf(look),
    created_at: now.getTime(),
    saved_at: null,
    paused_at: null,
    expires_at: null,
    deleted_at: null,
    legibility: null,
    legibility_of: null,
    version: 1,
  }
}

/**
 * Changes a code; a draft becomes a code at the first change that carries name and destination. With
 * a condition only the version that it names is changed.
 * @throws AppError code_not_found, changed_elsewhere, plan_limit_reached, custom_path_not_in_plan, artwork_not_in_plan, custom_path_taken,
 * former_paths_full, tags_full, rate_limited, invalid_input
 */
export async function changeCode(
  deps: LifecycleDeps,
  userId: string,
  id: string,
  change: CodeChange,
  condition?: IfMatch,
): Promise<QrCode> {
  refuseOwnLinks(change.url, deps.publicUrl)
  const { code, keys } = await transact(deps.db, async (tx) => {
    await lockAccount(tx, userId)
    const row = await findCode(tx, userId, id)
    if (!row) throw new AppError('code_not_found')
    if (!isMatch(condition, row.version)) throw new AppError('changed_elsewhere')
    return changeRow(deps, tx, row, change, await deps.entitlementsOf(tx, userId))
  })
  deps.onCodeChanged(keys)
  if (code.legibility === null) deps.onUnchecked(id, userId)
  return code
}

/** A change within its transaction, of a row that was read after the lock on its account. */
export async function changeRow(
  deps: LifecycleDeps,
  tx: Tx,
  row: CodeRow,
  change: CodeChange,
  entitlements: Entitlements,
): Promise<{ code: QrCode; keys: string[] }> {
  const { id, user_id: userId } = row
  await refuseForeignLogo(tx, userId, change.artwork)
  const isNew = await saveFirst(tx, row, change, entitlements, deps.clock())
  const made = await applyChange(tx, row, change, entitlements, deps.clock())
  await countNames(tx, row, entitlements, Number(isNew) + Number(made.hasNewPath), deps.clock())
  const changed = await findCode(tx, userId, id)
  if (!changed) throw new AppError('code_not_found')
  const events = happened(row, changed, made)
  for (const event of events) await deps.record(tx, event, id)
  if (events.length > 0) {
    const type = events.includes('code-made') ? 'code.created' : 'code.updated'
    await publishCodes(deps, tx, type, [changed])
  }
  const tagsBy = await tagsOf(tx, userId, [id])
  return {
    code: presentCode(changed, deps.publicUrl, tagsBy(changed)),
    keys: await keysOf(tx, id),
  }
}

/** @throws AppError invalid_input where the artwork names a logo that the account does not have */
export async function refuseForeignLogo(
  tx: Tx,
  userId: string,
  artwork: CodeChange['artwork'],
): Promise<void> {
  const id = artwork?.logo?.id
  if (id === undefined || (await hasLogo(tx, userId, id))) return
  throw invalidInput([{ path: 'artwork.logo', message: 'You have no such logo. Upload it again.' }])
}

/** Counts the names that a change made. It comes last: a change that is refused counts nothing. */
async function countNames(
  tx: Tx,
  row: CodeRow,
  { tier }: Entitlements,
  times: number,
  now: Date,
): Promise<void> {
  if (times === 0) return
  const limit = tier === 'free' ? 'free-names' : 'paid-names'
  await count(tx, limit, row.user_id, now, { times, message: namesUsedUp })
}

/** Whether the draft became a code. */
async function saveFirst(
  tx: Tx,
  row: CodeRow,
  change: CodeChange,
  entitlements: Entitlements,
  now: Date,
): Promise<boolean> {
  if (row.saved_at !== null || change.name === undefined || change.url === undefined) return false
  if (!(await markSaved(tx, row.id, now))) return false
  if (!(await takeSlot(tx, row.user_id, entitlements.codeLimit))) {
    throw planLimitReached(entitlements)
  }
  await updateCode(tx, row.id, { expires_at: expiryOf(entitlements, now) })
  return true
}

/** Whether the code got a custom path that it never had, and other tags. */
async function applyChange(
  tx: Tx,
  row: CodeRow,
  change: CodeChange,
  entitlements: Entitlements,
  now: Date,
): Promise<{ hasNewPath: boolean; hasNewTags: boolean }> {
  const path = wantedPath(change, row.vanity_url, entitlements)
  const artwork = wantedArtwork(change, row.artwork, entitlements)
  const hasNewPath = path !== undefined && (await changeCustomPath(tx, row.id, path, now))
  const hasNewTags =
    change.tags !== undefined && (await giveTags(tx, row.user_id, row.id, change.tags, now))
  const after: Partial<CodeRow> = {
    name: change.name ?? row.name,
    url: change.url ?? row.url,
    ...lookAfter(row, change, { path, artwork }),
    paused_at: pausedAt(row, change.isActive, now),
  }
  const isChanged = hasNewTags || differs(row, after)
  await updateCode(tx, row.id, { ...after, version: row.version + Number(isChanged) })
  return { hasNewPath, hasNewTags }
}

function differs(row: CodeRow, after: Partial<CodeRow>): boolean {
  const columns = Object.keys(after) as (keyof CodeRow)[]
  return columns.some((column) => after[column] !== row[column])
}

function pausedAt(row: CodeRow, isActive: boolean | undefined, now: Date): number | null {
  if (isActive === undefined) return row.paused_at
  return isActive ? null : (row.paused_at ?? now.getTime())
}

/** Moves a code to the bin: its links stop at once. A draft is deleted. @throws AppError code_not_found */
export async function deleteCode(
  deps: LifecycleDeps,
  userId: string,
  id: string,
  condition?: IfMatch,
): Promise<void> {
  const keys = await transact(deps.db, async (tx) => {
    await lockAccount(tx, userId)
    const row = await findCode(tx, userId, id)
    if (row && !isMatch(condition, row.version)) throw new AppError('changed_elsewhere')
    if (!row || !(await markDeleted(tx, id, deps.clock()))) throw new AppError('code_not_found')
    if (row.saved_at === null) {
      await releaseKeys(tx, [id])
      await removeCodes(tx, [id])
      return []
    }
    await freeSlot(tx, userId)
    await deps.record(tx, 'code-deleted', id)
    await publishCodes(deps, tx, 'code.deleted', [row])
    return keysOf(tx, id)
  })
  deps.onCodeChanged(keys)
}

/** Takes a code out of the bin, if a slot is free. @throws AppError code_not_found, plan_limit_reached */
export async function restoreCode(
  deps: LifecycleDeps,
  userId: string,
  id: string,
): Promise<QrCode> {
  const { code, keys } = await transact(deps.db, async (tx) => {
    await lockAccount(tx, userId)
    const row = await findDeleted(tx, userId, id)
    if (!row || !(await markRestored(tx, id))) throw new AppError('code_not_found')
    const entitlements = await deps.entitlementsOf(tx, userId)
    if (!(await takeSlot(tx, userId, entitlements.codeLimit))) {
      throw planLimitReached(entitlements)
    }
    await deps.record(tx, 'code-restored', id)
    await publishCodes(deps, tx, 'code.created', [{ ...row, deleted_at: null }])
    const tagsBy = await tagsOf(tx, userId, [id])
    const code = presentCode({ ...row, deleted_at: null }, deps.publicUrl, tagsBy(row))
    return { code, keys: await keysOf(tx, id) }
  })
  deps.onCodeChanged(keys)
  if (code.legibility === null) deps.onUnchecked(id, userId)
  return code
}

/**
 * A plan without expiry removes the expiry of all codes; a lapsed plan never adds one. It waits for a
 * first save on the old plan, whose expiry would stay otherwise. Returns the names to announce.
 */
export async function applyPlan(
  tx: Tx,
  userId: string,
  { expiryDays }: Pick<Entitlements, 'expiryDays'>,
): Promise<string[]> {
  if (expiryDays !== null) return []
  await lockAccount(tx, userId)
  const ids = await clearExpiry(tx, userId)
  const keys = await Promise.all(ids.map((id) => keysOf(tx, id)))
  return keys.flat()
}
