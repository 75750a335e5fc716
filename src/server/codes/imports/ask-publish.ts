import type { ImportPublish } from '#contract/imports.ts'
import { CODE_TAGS_MAX } from '#contract/tag-values.ts'
import type { Db, Tx } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import { type LifecycleDeps, refuseForeignLogo } from '../change-code.ts'
import { type Entitlements, fileTooLong, importLimit, wantedArtwork } from '../rules.ts'
import { columnsOf } from '../styles/style-rules.ts'
import { lookOfNew } from '../styles/styles-store.ts'
import { distinctNames } from '../tags/tag-rules.ts'
import { lockAccount } from '../usage-store.ts'
import { changeImport, type ImportRecord, ownImport } from './imports-store.ts'

/** From where somebody asked, as the history has it. */
type Origin = { address: string | null; device: string | null }

/** How an import is to be published, as its row keeps it. */
export type Wanted = {
  look: ReturnType<typeof columnsOf>
  tags: string[]
  otherPaths: boolean
  origin: Origin
}

type Deps = Pick<LifecycleDeps, 'db' | 'entitlementsOf'>

/**
 * Writes down that an import is to be published, and how.
 * @throws AppError not_found, import_not_ready, import_has_problems, plan_limit_reached, custom_path_taken,
 * artwork_not_in_plan, code_tags_full, invalid_input
 */
export async function askPublish(
  { db, entitlementsOf }: Deps,
  { userId, id, origin }: { userId: string; id: string; origin: Origin },
  asked: ImportPublish,
): Promise<ImportRecord> {
  return transact(db, async (tx) => {
    const used = await lockAccount(tx, userId)
    const record = await ownImport(tx, userId, id)
    if (record.state !== 'checked') throw new AppError('import_not_ready')
    if (record.problems > 0) throw new AppError('import_has_problems')
    const plan = await entitlementsOf(tx, userId)
    refuseTooLong(plan, used, record.rows)
    refuseLostPaths(record.lost_paths, asked)
    await refuseFullCodes(tx, record.id, asked.tags)
    const look = asked.look ?? (await lookOfNew(tx, userId, plan))
    wantedArtwork(look, null, plan)
    await refuseForeignLogo(tx, userId, look.artwork)
    const { tags, otherPaths } = asked
    const wanted: Wanted = { look: columnsOf(look), tags, otherPaths, origin }
    const change = {
      ...{ state: 'publishing' as const, wanted: JSON.stringify(wanted), done: 0, fault: null },
    }
    if (!(await changeImport(tx, { id: record.id, states: ['checked'] }, change))) {
      throw new AppError('import_not_ready')
    }
    return { ...record, ...change }
  })
}

/** @throws AppError plan_limit_reached */
export function refuseTooLong(plan: Entitlements, used: number, rows: number): void {
  if (used + rows > importLimit(plan)) throw fileTooLong(plan, used, rows)
}

/** @throws AppError custom_path_taken, unless these rows may go without */
export function refuseLostPaths(
  lost: number,
  { otherPaths }: Pick<ImportPublish, 'otherPaths'>,
): void {
  if (lost === 0 || otherPaths) return
  const rows =
    lost === 1 ? '1 row cannot have its custom URL' : `${lost} rows cannot have their custom URLs`
  throw new AppError(
    'custom_path_taken',
    `${rows}. Mend the file, or let ${lost === 1 ? 'it' : 'them'} have a short link only. Nothing was made.`,
  )
}

/** The different lists of tags in the rows of an import. */
export async function rowTags(db: Db, id: string): Promise<string[][]> {
  const lists = await db
    .selectFrom('import_rows')
    .select('tags')
    .distinct()
    .where('import_id', '=', id)
    .where('folded', '!=', '')
    .execute()
  return lists.map(({ tags }) => JSON.parse(tags) as string[])
}

async function refuseFullCodes(tx: Tx, id: string, tags: readonly string[]): Promise<void> {
  if (tags.length === 0) return
  for (const own of await rowTags(tx, id)) {
    if (distinctNames([...own, ...tags]).length > CODE_TAGS_MAX)
      throw new AppError('code_tags_full')
  }
}
