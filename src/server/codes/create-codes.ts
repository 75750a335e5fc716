import { randomUUID } from 'node:crypto'
import type { QrCode } from '#contract/codes/codes.ts'
import type { LookFields } from '#contract/pictures/pictures.ts'
import { type Actor, makeAs } from '../actor.ts'
import type { Entitlements } from '../billing/types.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { Tx } from '../database/schema.ts'
import { AppError, refusedAt } from '../http/errors.ts'
import { count } from '../http/limits/counts-store.ts'
import { announceAfter, publishCodes } from './announce-codes.ts'
import {
  type CodeRow,
  domainAfter,
  draftIds,
  insertCodes,
  refuseTakenId,
  removeCodes,
  takeSlots,
  updateCode,
  usedSlots,
} from './codes-store.ts'
import {
  claimCustomPaths,
  claimOldNames,
  claimShortCodes,
  customKey,
  namesOf,
  type OldNames,
  releaseKeys,
} from './paths-store.ts'
import { presentCode } from './presenter.ts'
import { decisive } from './resolve-paths.ts'
import {
  columnsOf,
  DRAFTS_MAX,
  expiryOf,
  formsUsedUp,
  hasFreeSlot,
  importLimit,
  namesLimit,
  namesOver,
  planLimitReached,
  refuseOwnLinks,
  rowAfter,
  tooManyCodes,
  UNKNOWN_HEALTH,
  wantedArtwork,
} from './rules.ts'
import { refuseForeignLogo } from './styles/logos.ts'
import { lookOfNew } from './styles/styles-store.ts'
import { giveTags } from './tags/give-tags.ts'
import { type TagsOf, tagsOf } from './tags/tags-store.ts'
import type { CodeDeps, CodeDomain, HashedCode } from './types.ts'

/** A row of a code or draft of now, which has no names yet. */
export function newRow(
  { workspaceId, personId }: Pick<Actor, 'workspaceId' | 'personId'>,
  look: ReturnType<typeof columnsOf>,
  now: Date,
  { id = randomUUID(), name = '', url = '', path = null, domain = null }: Partial<NamedRow> = {},
): CodeRow {
  return {
    id,
    workspace_id: workspaceId,
    name,
    url,
    vanity_url: path,
    short_code: '',
    ...look,
    created_at: now.getTime(),
    saved_at: null,
    deleted_at: null,
    legibility: null,
    legibility_of: null,
    version: 1,
    domain: domain?.host ?? null,
    domain_id: domain?.id ?? null,
    external_id: null,
    checks_destination: 1,
    changed_by: personId || null,
    changed_at: now.getTime(),
    ...decisive,
    ...UNKNOWN_HEALTH,
  }
}

type NamedRow = {
  id: string
  name: string
  url: string
  path: string | null
  domain: CodeDomain | null
}

/**
 * Makes a draft: each form that opens gets its own.
 * @throws AppError plan_limit_reached, rate_limited, idempotency_key_reused
 */
export function makeDraft(deps: CodeDeps, actor: Actor): Promise<QrCode> {
  const { workspaceId } = actor
  return makeAs(deps.db, actor, async (tx) => {
    const plan = await deps.entitlementsOf(tx, workspaceId)
    const now = deps.clock()
    if (!hasFreeSlot(plan, await usedSlots(tx, workspaceId))) throw planLimitReached(plan)
    await count(tx, 'drafts', workspaceId, now, { message: formsUsedUp })
    await makeRoomForDraft(tx, workspaceId)
    const domain = await deps.domainOfNew(tx, workspaceId)
    const look = columnsOf(await lookOfNew(tx, workspaceId, plan))
    const draft = newRow(actor, look, now, { domain })
    await claimShortCodes(tx, [draft], now)
    await insertCodes(tx, [draft])
    return presentCode(draft, deps.publicUrl, [])
  })
}

/** Deletes the oldest draft. Its row is not used again, or two open forms would share one code. */
async function makeRoomForDraft(tx: Tx, workspaceId: WorkspaceId): Promise<void> {
  const drafts = await draftIds(tx, workspaceId)
  const surplus = drafts.slice(0, Math.max(0, drafts.length - DRAFTS_MAX + 1))
  await releaseKeys(tx, surplus)
  await removeCodes(tx, surplus)
}

/** Codes that one account creates together. */
export type Creation = {
  kind: 'one' | 'series' | 'file'
  plan: Entitlements
  /** With the custom paths that they ask for. Only a draft has its short code. */
  rows: CodeRow[]
  /** The names of a code's tags */
  tagsAt: (index: number) => readonly string[]
  /** When a code was created at another service; null if that is not known */
  createdAt?: (index: number) => number | null
  /** The names that a code had at another server of ours */
  oldNamesAt?: (index: number) => OldNames | undefined
  /** Refuses codes whose custom paths other codes have, by their index, or lets them go without. */
  onTaken: (indexes: number[]) => Promise<void> | void
  /** The id of what the history names: an import, or else the first code */
  subject?: string
  /** If one transaction creates `all` codes in parts: the index of this part's first code. */
  part?: { first: number; all: number }
}

/** The one event of the account's history */
const eventOf = { one: 'code-made', series: 'code-series-made', file: 'code-import-made' } as const

/**
 * Creates codes, in the caller's transaction all or none: the first save of a draft, one code, a series, or a file.
 * It takes their slots of the plan, claims their names, writes their rows and tags, and records the event. The
 * statements are a few, however many codes there are. In the list, which begins with the newest code, the first one
 * comes first: each is a millisecond older, also of those with one day of another service. Call `lockWorkspace` before.
 * @returns the rows, filled in as they were written
 * @throws AppError plan_limit_reached, tags_full, rate_limited, what `onTaken` refuses with
 */
export async function createCodes(
  { record }: Pick<CodeDeps, 'record'>,
  tx: Tx,
  actor: Actor,
  creation: Creation,
  now: Date,
): Promise<CodeRow[]> {
  const { kind, plan, rows, tagsAt, onTaken, subject = rows[0]?.id ?? '' } = creation
  const { first, all } = creation.part ?? { first: 0, all: rows.length }
  const { workspaceId } = actor
  const limit = kind === 'file' ? importLimit(plan) : plan.codeLimit
  const restOfAll = all - first - rows.length
  if (!(await takeSlots(tx, workspaceId, limit - restOfAll, rows.length))) {
    if (kind === 'one') throw planLimitReached(plan)
    const used = await usedSlots(tx, workspaceId)
    throw tooManyCodes(kind, plan, { used, wanted: all, limit })
  }
  const { claimed, taken } = await claimCustomPaths(tx, rows, { now, isImport: kind === 'file' })
  if (taken.size > 0) {
    const isTaken = (row: CodeRow) => taken.has(customKey(row) ?? '')
    await onTaken(rows.flatMap((row, index) => (isTaken(row) ? [index] : [])))
  }
  for (const [index, row] of rows.entries()) {
    if (taken.has(customKey(row) ?? '')) row.vanity_url = null
    const elsewhere = creation.createdAt?.(index) ?? null
    const since = all - first - index
    row.created_at =
      elsewhere === null
        ? now.getTime() - first - index
        : Math.min(elsewhere + since, now.getTime() - first - index)
    row.saved_at = now.getTime()
    row.expires_at = expiryOf(plan, now)
  }
  const old = await claimOldNames(tx, rows, (index) => creation.oldNamesAt?.(index), now)
  const unnamed = rows.filter(({ short_code }) => short_code === '')
  await claimShortCodes(tx, unnamed, now)
  await insertCodes(tx, rows)
  const tagged = rows.map(({ id }, index) => ({ id, tags: tagsAt(index) }))
  await giveTags(tx, workspaceId, tagged, now)
  const counted = kind === 'file' ? 'imported-names' : namesLimit(plan)
  await count(tx, counted, workspaceId, now, {
    ...namesOver,
    times: rows.length + claimed + old,
  })
  if (first === 0) await record(tx, actor, eventOf[kind], subject)
  return rows
}

/**
 * Creates codes in a transaction of its own, and returns what `present` makes of them.
 * @throws AppError idempotency_key_reused
 */
export function createIn<Made, Rows extends readonly CodeRow[]>(
  deps: CodeDeps,
  actor: Actor,
  create: (tx: Tx, now: Date) => Promise<Rows>,
  present: (rows: Rows, tagsBy: TagsOf) => Promise<Made> | Made,
  kept?: { write: (made: Made) => string; read: (text: string) => Made },
): Promise<Made> {
  const make = async (tx: Tx) => {
    const rows = await create(tx, deps.clock())
    await publishCodes(deps, tx, rows, { type: 'code.created' })
    announceAfter(deps, tx, rows, namesOf(rows))
    const ids = rows.map(({ id }) => id)
    return present(rows, await tagsOf(tx, actor.workspaceId, ids))
  }
  return makeAs(deps.db, actor, make, { ...kept, isCounted: false })
}

/**
 * Creates one code, which begins with the look of the account's default style.
 * @throws AppError as `changeCode`, and idempotency_key_reused
 */
export async function createCode(
  deps: CodeDeps,
  actor: Actor,
  wanted: HashedCode,
): Promise<QrCode> {
  refuseOwnLinks(wanted, deps.publicUrl)
  const { workspaceId } = actor
  const create = async (tx: Tx, now: Date) => {
    const plan = await deps.entitlementsOf(tx, workspaceId)
    await refuseForeignLogo(tx, workspaceId, wanted.artwork)
    const look = columnsOf(await lookOfNew(tx, workspaceId, plan))
    const usual = await deps.domainOfNew(tx, workspaceId)
    const domain = await domainAfter(tx, deps, workspaceId, wanted, usual)
    const row = rowAfter(newRow(actor, look, now, { domain }), wanted, plan, now)
    await refuseTakenId(tx, row)
    return [await createOne(deps, tx, actor, { plan, row, tags: wanted.tags ?? [] }, now)] as const
  }
  return createIn(deps, actor, create, ([row], tagsBy) =>
    presentCode(row, deps.publicUrl, tagsBy(row)),
  )
}

/** @throws AppError plan_limit_reached, custom_path_taken, tags_full, rate_limited */
async function createOne(
  deps: Pick<CodeDeps, 'record'>,
  tx: Tx,
  actor: Actor,
  { plan, row, tags }: { plan: Entitlements; row: CodeRow; tags: readonly string[] },
  now: Date,
): Promise<CodeRow> {
  const onTaken = () => {
    throw refusedAt('custom_path_taken', 'vanityUrl')
  }
  const creation: Creation = { kind: 'one', plan, rows: [row], tagsAt: () => tags, onTaken }
  await createCodes(deps, tx, actor, creation, now)
  return row
}

/**
 * Creates the code of a draft, whose row has all that the code is to have, in the caller's transaction.
 * @throws AppError as `createCode`, and code_not_found if a sweep has removed it
 */
export async function saveDraft(
  deps: CodeDeps,
  tx: Tx,
  actor: Actor,
  row: CodeRow,
  plan: Entitlements,
  now: Date,
): Promise<CodeRow> {
  if (!(await updateCode(tx, row.id, { saved_at: now.getTime() }))) {
    throw new AppError('code_not_found')
  }
  const code = await createOne(deps, tx, actor, { plan, row, tags: [] }, now)
  await publishCodes(deps, tx, [code], { type: 'code.created' })
  return code
}

/** The look of codes that are created together: the one asked for, or that of new codes. @throws AppError artwork_not_in_plan, invalid_input */
export async function lookOfMany(
  tx: Tx,
  workspaceId: WorkspaceId,
  asked: LookFields | undefined,
  plan: Entitlements,
): Promise<LookFields> {
  const look = asked ?? (await lookOfNew(tx, workspaceId, plan))
  wantedArtwork(look, null, plan)
  await refuseForeignLogo(tx, workspaceId, look.artwork)
  return look
}
