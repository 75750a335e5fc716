import { setImmediate as nextTurn } from 'node:timers/promises'
import { CODE_TAGS_MAX } from '#contract/codes/code-values.ts'
import type { NewSeries } from '#contract/series/series.ts'
import type { Actor } from '../actor.ts'
import type { Entitlements } from '../billing/types.ts'
import type { Tx } from '../database/schema.ts'
import { AppError, invalidInput, refusedAt, refusedBelow } from '../http/errors.ts'
import { jsonList } from '../http/lists.ts'
import { type CodeRow, domainAfter, takenIds } from './codes-store.ts'
import { createCodes, createIn, lookOfMany, newRow } from './create-codes.ts'
import { presentCode } from './presenter.ts'
import { columnsOf, ownLinksIn, rowAfter } from './rules.ts'
import { refuseForeignLogo } from './styles/logos.ts'
import { distinctNames } from './tags/give-tags.ts'
import type { TagsOf } from './tags/tags-store.ts'
import type { CodeDeps, CodeDomain } from './types.ts'

/**
 * Creates all codes of a series, or none of them; returns them in the order of the rows.
 * @throws AppError plan_limit_reached, custom_path_not_in_plan, custom_path_taken, tags_full, rate_limited,
 * invalid_input; `fields` has the rows, such as `rows.3.url`. Also idempotency_key_reused.
 */
export async function createSeries(
  deps: CodeDeps,
  actor: Actor,
  series: NewSeries,
): Promise<Buffer> {
  const { workspaceId } = actor
  await refuseOwnLinksIn(series, deps.publicUrl)
  const pathField = (index: number) => `rows.${index}.vanityUrl`
  const create = async (tx: Tx, now: Date) => {
    const plan = await deps.entitlementsOf(tx, workspaceId)
    const withPath = series.rows.flatMap(({ vanityUrl }, index) => (vanityUrl ? [index] : []))
    if (!plan.customPaths && withPath.length > 0) {
      throw refusedAt('custom_path_not_in_plan', ...withPath.map(pathField))
    }
    const rows = await rowsOfSeries(deps, tx, { actor, series, plan }, now)
    const onTaken = (indexes: number[]) => {
      throw refusedAt('custom_path_taken', ...indexes.map(pathField))
    }
    const tagsAt = (index: number) =>
      distinctNames([...series.tags, ...(series.rows[index]?.tags ?? [])])
    const full = [...series.rows.keys()].filter((index) => tagsAt(index).length > CODE_TAGS_MAX)
    if (full.length > 0) {
      throw refusedAt('code_tags_full', ...full.map((index) => `rows.${index}.tags`))
    }
    return createCodes(deps, tx, actor, { kind: 'series', plan, rows, tagsAt, onTaken }, now)
  }
  const present = (rows: CodeRow[], tagsBy: TagsOf) =>
    jsonList(rows, (row) => presentCode(row, deps.publicUrl, tagsBy(row)))
  return createIn(deps, actor, create, present, { write: String, read: Buffer.from })
}

/** The codes of a series before they have names. @throws AppError as `createSeries` */
async function rowsOfSeries(
  deps: CodeDeps,
  tx: Tx,
  { actor, series, plan }: { actor: Actor; series: NewSeries; plan: Entitlements },
  now: Date,
): Promise<CodeRow[]> {
  const { workspaceId } = actor
  const look = columnsOf(await lookOfMany(tx, workspaceId, series.look, plan))
  const usual = await deps.domainOfNew(tx, workspaceId)
  const rows: CodeRow[] = []
  // A thousand rows name a few domains and logos.
  const domains = new Map<string, CodeDomain | null>()
  const logos = new Set<string>()
  for (const [index, wanted] of series.rows.entries()) {
    if (index % PART_ROWS === 0) await nextTurn()
    await refuseRow(index, async () => {
      const host = String(wanted.domain)
      if (!domains.has(host)) {
        domains.set(host, await domainAfter(tx, deps, workspaceId, wanted, usual))
      }
      const logo = wanted.artwork?.logo?.id
      if (logo !== undefined && !logos.has(logo)) {
        await refuseForeignLogo(tx, workspaceId, wanted.artwork)
        logos.add(logo)
      }
      const domain = domains.get(host) ?? null
      rows.push(rowAfter(newRow(actor, look, now, { domain }), wanted, plan, now))
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

/** Rows that are looked at without a pause: less than a millisecond, which a redirect can wait. */
const PART_ROWS = 100

async function refuseOwnLinksIn({ rows }: NewSeries, publicUrl: string): Promise<void> {
  const issues: { path: string; message: string }[] = []
  for (const [index, row] of rows.entries()) {
    if (index % PART_ROWS === 0) await nextTurn()
    for (const { path, message } of ownLinksIn(row, publicUrl)) {
      issues.push({ path: `rows.${index}.${path}`, message })
    }
  }
  if (issues.length > 0) throw invalidInput(issues)
}
