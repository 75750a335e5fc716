import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LookFields } from '#contract/pictures/pictures.ts'
import type { NewSeries } from '#contract/series.ts'
import type { Tx } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { AppError, invalidInput } from '../../http/errors.ts'
import type { IdempotencyRecord } from '../../http/idempotency-record.ts'
import { jsonList } from '../../http/json-list.ts'
import { count } from '../../http/limits/counts-store.ts'
import { type LifecycleDeps, refuseForeignLogo } from '../change-code.ts'
import { publishCodes } from '../code-news.ts'
import { type CodeRow, insertCodes } from '../codes-store.ts'
import { claimCustomPaths, claimShortCodes, namesOf } from '../paths-store.ts'
import { presentCode } from '../presenter.ts'
import {
  type Entitlements,
  expiryOf,
  isOwnLink,
  namesUsedUp,
  OWN_LINK,
  seriesTooLong,
  wantedArtwork,
} from '../rules.ts'
import { columnsOf } from '../styles/style-rules.ts'
import { lookOfNew } from '../styles/styles-store.ts'
import { giveManyTags } from '../tags/give-tags.ts'
import { type TagsOf, tagsOf } from '../tags/tags-store.ts'
import { lockAccount, takeSlot } from '../usage-store.ts'

/** Rows that are looked at without a pause: less than a millisecond, which a redirect can wait. */
const PART_ROWS = 100

type Made = { codes: CodeRow[]; tagsBy: TagsOf }

/**
 * Makes all codes of a series in one transaction, or none of them; answers them in the order of the rows.
 * @throws AppError plan_limit_reached, custom_path_not_in_plan, custom_path_taken, tags_full, rate_limited,
 * invalid_input; `fields` has the rows, such as `rows.3.url`. With `once`, idempotency_key_reused; a call
 * that made a series before is answered that one.
 */
export async function makeSeries(
  deps: LifecycleDeps,
  userId: string,
  series: NewSeries,
  once?: IdempotencyRecord,
): Promise<{ list: Buffer; isReplayed: boolean }> {
  await refuseOwnLinksIn(series, deps.publicUrl)
  const listOf = ({ codes, tagsBy }: Made) =>
    jsonList(codes, (code) => presentCode(code, deps.publicUrl, tagsBy(code)))
  const { made, answer } = await transact(deps.db, async (tx) => {
    const used = await lockAccount(tx, userId)
    const before = await once?.answer(tx)
    if (before !== undefined) return { answer: Buffer.from(before) }
    const codes = await make(deps, tx, { userId, used, series })
    const ids = codes.map(({ id }) => id)
    const made: Made = { codes, tagsBy: await tagsOf(tx, userId, ids) }
    await once?.keep(tx, (await listOf(made)).toString())
    return { made }
  })
  if (answer) return { list: answer, isReplayed: true }
  const { codes } = made
  deps.onCodeChanged(namesOf(codes))
  for (const { id } of codes) deps.onUnchecked(id, userId)
  return { list: await listOf(made), isReplayed: false }
}

async function refuseOwnLinksIn({ rows }: NewSeries, publicUrl: string): Promise<void> {
  const issues: { path: string; message: string }[] = []
  for (const [index, { url }] of rows.entries()) {
    if (index % PART_ROWS === 0) await nextTurn()
    if (isOwnLink(url, publicUrl)) issues.push({ path: `rows.${index}.url`, message: OWN_LINK })
  }
  if (issues.length > 0) throw invalidInput(issues)
}

async function make(
  deps: LifecycleDeps,
  tx: Tx,
  { userId, used, series }: { userId: string; used: number; series: NewSeries },
): Promise<CodeRow[]> {
  const { entitlementsOf, clock, record } = deps
  const entitlements = await entitlementsOf(tx, userId)
  const look = series.look ?? (await lookOfNew(tx, userId, entitlements))
  const now = clock()
  refusePathsBeyondPlan(series, entitlements)
  await refuseForeignLogo(tx, userId, look.artwork)
  const wanted = series.rows.length
  if (!(await takeSlot(tx, userId, entitlements.codeLimit, wanted))) {
    throw seriesTooLong(entitlements, used, wanted)
  }
  await countNames(tx, userId, series, entitlements, now)
  const codes = codesOf({ ...series, look }, userId, entitlements, now)
  const shortCodes = await claimShortCodes(
    tx,
    codes.map(({ id }) => id),
    now,
  )
  for (const code of codes) code.short_code = shortCodes.get(code.id) ?? ''
  await claimPaths(tx, codes, now)
  await insertCodes(tx, codes)
  const { tags } = series
  await giveManyTags(
    tx,
    userId,
    codes.map(({ id }) => ({ id, tags })),
    now,
  )
  await record(tx, 'code-series-made', codes[0]?.id ?? '')
  await publishCodes(deps, tx, 'code.created', codes)
  return codes
}

const fieldOf = (index: number) => `rows.${index}.vanityUrl`

function refusePathsBeyondPlan({ rows }: NewSeries, { customPaths }: Entitlements): void {
  if (customPaths) return
  const { message } = new AppError('custom_path_not_in_plan')
  const refused = rows.flatMap(({ vanityUrl }, index) =>
    vanityUrl ? [[fieldOf(index), message]] : [],
  )
  if (refused.length > 0) {
    throw new AppError('custom_path_not_in_plan', message, Object.fromEntries(refused))
  }
}

async function countNames(
  tx: Tx,
  userId: string,
  { rows }: NewSeries,
  { tier }: Entitlements,
  now: Date,
): Promise<void> {
  const times = rows.length + rows.filter(({ vanityUrl }) => vanityUrl).length
  const limit = tier === 'free' ? 'free-names' : 'paid-names'
  await count(tx, limit, userId, now, { times, message: namesUsedUp })
}

async function claimPaths(tx: Tx, codes: readonly CodeRow[], now: Date): Promise<void> {
  const wanted = new Map(
    codes.flatMap(({ id, vanity_url }) => (vanity_url ? [[vanity_url, id]] : [])),
  )
  const claimed = await claimCustomPaths(tx, wanted, now)
  if (claimed.size === wanted.size) return
  const { message } = new AppError('custom_path_taken')
  const taken = codes.flatMap(({ vanity_url }, index) =>
    vanity_url && !claimed.has(vanity_url) ? [[fieldOf(index), message]] : [],
  )
  throw new AppError('custom_path_taken', message, Object.fromEntries(taken))
}

/** In the list, which begins with the newest code, the first row comes first: each is a millisecond older. */
function codesOf(
  { rows, look }: NewSeries & { look: LookFields },
  userId: string,
  plan: Entitlements,
  now: Date,
): CodeRow[] {
  return rows.map(({ name, url, vanityUrl }, index) => ({
    id: randomUUID(),
    user_id: userId,
    name,
    url,
    vanity_url: vanityUrl ?? null,
    short_code: '',
    ...columnsOf(look),
    artwork: wantedArtwork(look, null, plan),
    created_at: now.getTime() - index,
    saved_at: now.getTime(),
    paused_at: null,
    expires_at: expiryOf(plan, now),
    deleted_at: null,
    legibility: null,
    legibility_of: null,
    version: 1,
  }))
}
