import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CODE_TAGS_MAX } from '#contract/code-values.ts'
import type { CodeChange, NewCode, QrCode } from '#contract/codes.ts'
import type { LookFields } from '#contract/pictures/pictures.ts'
import type { NewSeries } from '#contract/series.ts'
import type { Entitlements } from '../billing/types.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { Db, Tx } from '../database/schema.ts'
import { afterCommit, transact } from '../database/transact.ts'
import { AppError, invalidInput, refusedAt, refusedBelow } from '../http/errors.ts'
import { type IdempotencyRecord, makeOnce } from '../http/idempotency-record.ts'
import { jsonList } from '../http/json-list.ts'
import { count } from '../http/limits/counts-store.ts'
import {
  type CodeRow,
  draftIds,
  insertCodes,
  lockWorkspace,
  removeCodes,
  takenIds,
  takeSlots,
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
import { presentCode, publishCodes } from './presenter.ts'
import {
  columnsOf,
  DRAFTS_MAX,
  expiryOf,
  formsUsedUp,
  hasFreeSlot,
  importLimit,
  isOwnLink,
  namesOver,
  OWN_LINK,
  planLimitReached,
  refuseOwnLinks,
  rowAfter,
  tooManyCodes,
  wantedArtwork,
} from './rules.ts'
import { refuseForeignLogo } from './styles/logos.ts'
import { lookOfNew } from './styles/styles-store.ts'
import { distinctNames, giveTags } from './tags/give-tags.ts'
import { type TagsOf, tagsOf } from './tags/tags-store.ts'
import type { CodeDeps, CodeSite } from './types.ts'

/** A row of a code or draft of now, which has no names yet. */
export function newRow(
  workspaceId: WorkspaceId,
  look: ReturnType<typeof columnsOf>,
  now: Date,
  { id = randomUUID(), name = '', url = '', path = null, site = null }: Partial<NamedRow> = {},
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
    paused_at: null,
    expires_at: null,
    deleted_at: null,
    legibility: null,
    legibility_of: null,
    version: 1,
    domain: site?.host ?? null,
    domain_id: site?.id ?? null,
    external_id: null,
    pass_query: 0,
  }
}

type NamedRow = {
  id: string
  name: string
  url: string
  path: string | null
  site: CodeSite | null
}

/** The domain of a code after a change. @throws AppError invalid_input, at `domain` */
export async function siteAfter(
  { siteOf }: Pick<CodeDeps, 'siteOf'>,
  db: Db,
  workspaceId: WorkspaceId,
  { domain }: Pick<CodeChange, 'domain'>,
  current: CodeSite | null,
): Promise<CodeSite | null> {
  if (domain === undefined || domain === (current?.host ?? null)) return current
  if (domain === null) return null
  const site = await siteOf(db, workspaceId, domain)
  if (!site) throw invalidInput([{ path: 'domain', message: 'You don’t have this domain' }])
  return site
}

/** The domain of a code, or of an import */
export function siteOfRow({
  domain,
  domain_id,
}: Pick<CodeRow, 'domain' | 'domain_id'>): CodeSite | null {
  return domain !== null && domain_id !== null ? { host: domain, id: domain_id } : null
}

/**
 * Makes a draft: each form that opens gets its own.
 * @throws AppError plan_limit_reached, rate_limited, idempotency_key_reused
 */
export async function makeDraft(
  deps: CodeDeps,
  workspaceId: WorkspaceId,
  once?: IdempotencyRecord,
): Promise<QrCode> {
  const make = async (tx: Tx, used: number) => {
    const plan = await deps.entitlementsOf(tx, workspaceId)
    const now = deps.clock()
    if (!hasFreeSlot(plan, used)) throw planLimitReached(plan)
    await count(tx, 'drafts', workspaceId, now, { message: formsUsedUp })
    await makeRoomForDraft(tx, workspaceId)
    const site = await deps.siteOfNew(tx, workspaceId)
    const look = columnsOf(await lookOfNew(tx, workspaceId, plan))
    const draft = newRow(workspaceId, look, now, { site })
    await claimShortCodes(tx, [draft], now)
    await insertCodes(tx, [draft])
    return presentCode(draft, deps.publicUrl, [])
  }
  return transact(deps.db, async (tx) => {
    const used = await lockWorkspace(tx, workspaceId)
    return makeOnce(tx, once, () => make(tx, used))
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

/** The limit on names of a day that counts those of a plan */
export const namesLimit = ({ tier }: Entitlements) =>
  tier === 'free' ? 'free-names' : 'paid-names'

/**
 * Creates codes, in the caller's transaction all or none: the first save of a draft, one code, a series, or a file.
 * It takes their slots of the plan, claims their names, writes their rows and tags, and records the event. The
 * statements are a few, however many codes there are. In the list, which begins with the newest code, the first one
 * comes first: each is a millisecond older, also of those with one day of another service. Call `lockWorkspace` before.
 * @returns the rows, filled in as they were written
 * @throws AppError plan_limit_reached, tags_full, rate_limited, what `onTaken` refuses with
 */
export async function createCodes(
  deps: Pick<CodeDeps, 'record'>,
  tx: Tx,
  creation: Creation,
  now: Date,
): Promise<CodeRow[]> {
  const { kind, plan, rows, tagsAt, onTaken, subject = rows[0]?.id ?? '' } = creation
  const { first, all } = creation.part ?? { first: 0, all: rows.length }
  const { workspace_id: workspaceId } = rows[0] as CodeRow
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
  if (first === 0) await deps.record(tx, eventOf[kind], subject)
  return rows
}

type Call = {
  workspaceId: WorkspaceId
  /** With it, a repeated call gets the answer of the first one. */
  once: IdempotencyRecord | undefined
  create: (tx: Tx, now: Date) => Promise<CodeRow[]>
  jsonOf: (rows: CodeRow[], tagsBy: TagsOf) => Promise<Buffer> | Buffer
}

/** Creates codes in a transaction of its own. Returns the answer in JSON. @throws AppError idempotency_key_reused */
async function answerCreation(
  deps: CodeDeps,
  { workspaceId, once, create, jsonOf }: Call,
): Promise<Buffer> {
  return transact(deps.db, async (tx) => {
    await lockWorkspace(tx, workspaceId)
    const before = await once?.answer(tx)
    if (before !== undefined) return Buffer.from(before)
    const rows = await create(tx, deps.clock())
    await publishCodes(deps, tx, 'code.created', rows)
    const ids = rows.map(({ id }) => id)
    const json = await jsonOf(rows, await tagsOf(tx, workspaceId, ids))
    await once?.keep(tx, json.toString())
    announceAfter(deps, tx, rows, namesOf(rows))
    return json
  })
}

/** After the commit: announces names that lead elsewhere, and asks for the verdicts that these codes lack. */
export function announceAfter(
  { onCodeChanged, onUnchecked }: Pick<CodeDeps, 'onCodeChanged' | 'onUnchecked'>,
  tx: Tx,
  rows: readonly Pick<CodeRow, 'id' | 'workspace_id' | 'legibility'>[],
  keys: string[],
): void {
  afterCommit(tx, () => {
    onCodeChanged(keys)
    for (const { id, workspace_id, legibility } of rows) {
      if (legibility === null) onUnchecked(id, workspace_id)
    }
  })
}

/**
 * Creates one code, which begins with the look of the account's default style.
 * @throws AppError as `changeCode`, and idempotency_key_reused
 */
export async function createCode(
  deps: CodeDeps,
  workspaceId: WorkspaceId,
  wanted: NewCode,
  once?: IdempotencyRecord,
): Promise<QrCode> {
  refuseOwnLinks(wanted.url, deps.publicUrl)
  const json = await answerCreation(deps, {
    workspaceId,
    once,
    create: async (tx, now) => {
      const plan = await deps.entitlementsOf(tx, workspaceId)
      await refuseForeignLogo(tx, workspaceId, wanted.artwork)
      const look = columnsOf(await lookOfNew(tx, workspaceId, plan))
      const site = await siteAfter(
        deps,
        tx,
        workspaceId,
        wanted,
        await deps.siteOfNew(tx, workspaceId),
      )
      const row = rowAfter(newRow(workspaceId, look, now, { site }), wanted, plan, now)
      await refuseTakenId(tx, row)
      return createOne(deps, tx, { plan, row, tags: wanted.tags ?? [] }, now)
    },
    jsonOf: (rows, tagsBy) => {
      const [code] = rows.map((row) => presentCode(row, deps.publicUrl, tagsBy(row)))
      return Buffer.from(JSON.stringify(code))
    },
  })
  return JSON.parse(json.toString()) as QrCode
}

/** Refuses a code whose owner has its id for another one. @throws AppError external_id_taken */
export async function refuseTakenId(tx: Tx, row: CodeRow): Promise<void> {
  const isTaken = await takenIds(tx, row.workspace_id, [row])
  if (isTaken(row.external_id ?? '')) throw refusedAt('external_id_taken', 'externalId')
}

/** Creates a code of its own. @throws AppError plan_limit_reached, custom_path_taken, tags_full, rate_limited */
export function createOne(
  deps: Pick<CodeDeps, 'record'>,
  tx: Tx,
  { plan, row, tags }: { plan: Entitlements; row: CodeRow; tags: readonly string[] },
  now: Date,
): Promise<CodeRow[]> {
  const onTaken = () => {
    throw refusedAt('custom_path_taken', 'vanityUrl')
  }
  return createCodes(deps, tx, { kind: 'one', plan, rows: [row], tagsAt: () => tags, onTaken }, now)
}

/**
 * Creates all codes of a series, or none of them; returns them in the order of the rows.
 * @throws AppError plan_limit_reached, custom_path_not_in_plan, custom_path_taken, tags_full, rate_limited,
 * invalid_input; `fields` has the rows, such as `rows.3.url`. With `once`, idempotency_key_reused.
 */
export async function createSeries(
  deps: CodeDeps,
  workspaceId: WorkspaceId,
  series: NewSeries,
  once?: IdempotencyRecord,
): Promise<Buffer> {
  await refuseOwnLinksIn(series, deps.publicUrl)
  const pathField = (index: number) => `rows.${index}.vanityUrl`
  const create: Call['create'] = async (tx, now) => {
    const plan = await deps.entitlementsOf(tx, workspaceId)
    const withPath = series.rows.flatMap(({ vanityUrl }, index) => (vanityUrl ? [index] : []))
    if (!plan.customPaths && withPath.length > 0) {
      throw refusedAt('custom_path_not_in_plan', ...withPath.map(pathField))
    }
    const rows = await rowsOfSeries(deps, tx, { workspaceId, series, plan }, now)
    const onTaken = (indexes: number[]) => {
      throw refusedAt('custom_path_taken', ...indexes.map(pathField))
    }
    const tagsAt = (index: number) =>
      distinctNames([...series.tags, ...(series.rows[index]?.tags ?? [])])
    const full = [...series.rows.keys()].filter((index) => tagsAt(index).length > CODE_TAGS_MAX)
    if (full.length > 0) {
      throw refusedAt('code_tags_full', ...full.map((index) => `rows.${index}.tags`))
    }
    return createCodes(deps, tx, { kind: 'series', plan, rows, tagsAt, onTaken }, now)
  }
  return answerCreation(deps, {
    workspaceId,
    once,
    create,
    jsonOf: (rows, tagsBy) =>
      jsonList(rows, (row) => presentCode(row, deps.publicUrl, tagsBy(row))),
  })
}

/** The codes of a series before they have names. @throws AppError as `createSeries` */
async function rowsOfSeries(
  deps: CodeDeps,
  tx: Tx,
  {
    workspaceId,
    series,
    plan,
  }: { workspaceId: WorkspaceId; series: NewSeries; plan: Entitlements },
  now: Date,
): Promise<CodeRow[]> {
  const look = columnsOf(await lookOfMany(tx, workspaceId, series.look, plan))
  const usual = await deps.siteOfNew(tx, workspaceId)
  const rows: CodeRow[] = []
  // A thousand rows name a few domains and logos.
  const sites = new Map<string, CodeSite | null>()
  const logos = new Set<string>()
  for (const [index, wanted] of series.rows.entries()) {
    if (index % PART_ROWS === 0) await nextTurn()
    await refuseRow(index, async () => {
      const host = String(wanted.domain)
      if (!sites.has(host)) sites.set(host, await siteAfter(deps, tx, workspaceId, wanted, usual))
      const logo = wanted.artwork?.logo?.id
      if (logo !== undefined && !logos.has(logo)) {
        await refuseForeignLogo(tx, workspaceId, wanted.artwork)
        logos.add(logo)
      }
      const site = sites.get(host) ?? null
      rows.push(rowAfter(newRow(workspaceId, look, now, { site }), wanted, plan, now))
    })
  }
  const taken = await takenIds(tx, workspaceId, rows)
  const same = rows.flatMap(({ external_id: id }, index) => (id && taken(id) ? [index] : []))
  if (same.length > 0) {
    const refusal = refusedAt(
      'external_id_taken',
      ...same.map((index) => `rows.${index}.externalId`),
    )
    const ids = same.map((index) => rows[index]?.external_id)
    if (new Set(ids).size === ids.length) throw refusal
    const twice = 'More than one row has this externalId, or you already have a QR code with it.'
    const fields = Object.keys(refusal.fields ?? {}).map((field) => [field, twice])
    throw new AppError(refusal.code, twice, Object.fromEntries(fields))
  }
  return rows
}

/** Does what one row of a series asks for; a refusal names the row with the field. */
async function refuseRow(index: number, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof AppError) || !error.fields) throw error
    throw refusedBelow(`rows.${index}`, error)
  }
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

/** Rows that are looked at without a pause: less than a millisecond, which a redirect can wait. */
const PART_ROWS = 100

async function refuseOwnLinksIn({ rows }: NewSeries, publicUrl: string): Promise<void> {
  const issues: { path: string; message: string }[] = []
  for (const [index, { url }] of rows.entries()) {
    if (index % PART_ROWS === 0) await nextTurn()
    if (isOwnLink(url, publicUrl)) issues.push({ path: `rows.${index}.url`, message: OWN_LINK })
  }
  if (issues.length > 0) throw invalidInput(issues)
}
