import { type Insertable, type RawBuilder, type SqlBool, sql, type Updateable } from 'kysely'
import { uuidOf } from '#contract/codes/code-values.ts'
import { errorTable } from '#contract/errors.ts'
import { IMPORTS_LISTED, OPEN_IMPORT_HOURS, USED_IMPORT_DAYS } from '#contract/imports.ts'
import { DAY_MS, HOUR_MS } from '#contract/time.ts'
import { clampFutureTimes } from '../../clock.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import { insertRows } from '../../database/json-rows.ts'
import { rowsWhere, updateWhere } from '../../database/rows.ts'
import type { Db, Tables, Tx } from '../../database/schema.ts'
import { takeDue } from '../../due-queue.ts'
import { AppError } from '../../http/errors.ts'
import { isFree, leaseEnd } from '../../jobs.ts'
import type { KeptParts } from './row-reader.ts'

export type ImportRecord = Tables['imports']
export type StagedRow = Tables['import_rows']
/** The columns that reading a row fills in */
export type RowTexts = Omit<StagedRow, 'import_id' | 'n' | 'code_id'>

const SHOWN = ['checked', 'publishing', 'published'] as const

/** The account's imports, newest first, without those that are being read or were abandoned. */
export async function listImports(db: Db, workspaceId: WorkspaceId): Promise<ImportRecord[]> {
  return rowsWhere(db, 'imports', { workspace_id: workspaceId })
    .where('state', 'in', SHOWN)
    .orderBy('made_at', 'desc')
    .orderBy('id')
    .limit(IMPORTS_LISTED)
    .execute()
}

/** An import of the account by the id in a path. @throws AppError not_found */
export async function ownImport(db: Db, workspaceId: WorkspaceId, text: string) {
  const id = uuidOf(text)
  const found =
    id &&
    (await rowsWhere(db, 'imports', { id, workspace_id: workspaceId })
      .where('state', 'in', SHOWN)
      .executeTakeFirst())
  if (!found) throw new AppError('not_found')
  return found
}

export async function insertImport(db: Db, row: Insertable<Tables['imports']>) {
  return db.insertInto('imports').values(row).returningAll().executeTakeFirstOrThrow()
}

type Which = {
  id: string
  states?: readonly ImportRecord['state'][]
  /** The process that has taken the import */
  holder?: string
}

/** Changes an import and returns it; undefined if it is in another state or another process has it. */
export async function changeImport(
  db: Db,
  { id, states, holder }: Which,
  change: Updateable<Tables['imports']>,
): Promise<ImportRecord | undefined> {
  let update = db.updateTable('imports').set(change).where('id', '=', id)
  if (states) update = update.where('state', 'in', states)
  if (holder) update = update.where('holder', '=', holder)
  return update.returningAll().executeTakeFirst()
}

/** Abandons all but the newest files that an account has not used. */
export async function abandonOlder(db: Db, workspaceId: WorkspaceId, keep: number): Promise<void> {
  const older = db
    .selectFrom('imports')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('state', '=', 'checked')
    .orderBy('made_at', 'desc')
    .orderBy('id')
    .offset(keep)
    // SQLite takes no offset without a limit.
    .limit(1_000)
  await updateWhere(db, 'imports', { state: 'checked' })
    .set({ state: 'abandoned' })
    .where('id', 'in', older)
    .execute()
}

/** Takes an import with something left to do that no process has. */
export function takeImport(db: Db, holder: string, now: Date) {
  return takeDue(
    db,
    'imports',
    ['id', 'state', 'held_until'],
    (imports) =>
      imports
        .where((row) =>
          row.or([
            row('state', '=', 'publishing'),
            row.and([row('state', '=', 'published'), row('told', '<', row.ref('rows'))]),
          ]),
        )
        .where(isFree('held_until', now))
        .orderBy('made_at'),
    { holder, held_until: leaseEnd(now) },
  )
}

export async function stageRows(tx: Tx, rows: readonly StagedRow[]): Promise<void> {
  await insertRows(tx, 'import_rows', ['n', 'row', 'created_at'], rows)
}

/** The row of an import that a spreadsheet shows with this number. */
export async function rowNumbered(db: Db, id: string, row: number): Promise<StagedRow | undefined> {
  return rowsWhere(db, 'import_rows', { import_id: id, row }).executeTakeFirst()
}

export async function updateRow(
  tx: Tx,
  { import_id, n }: Pick<StagedRow, 'import_id' | 'n'>,
  texts: Partial<RowTexts>,
): Promise<void> {
  await updateWhere(tx, 'import_rows', { import_id, n }).set(texts).execute()
}

/** Some rows of an import, in their order. */
export async function rowsFrom(
  db: Db,
  id: string,
  { from = 0, limit, only }: { from?: number; limit: number; only?: OnlyRows },
): Promise<StagedRow[]> {
  let query = rowsWhere(db, 'import_rows', { import_id: id }).where('n', '>=', from).orderBy('n')
  if (only === 'ready' || only === 'kept') query = query.where('problems', 'is', null)
  if (only === 'kept') query = query.where('kept', '<>', NOTHING_KEPT)
  else if (only && only !== 'ready') {
    query = query.where((row) => row.or(wrong[only].map((column) => row(column, 'is not', null))))
    // A row with a problem is not counted here: it does not become a code.
    if (only === 'lost-paths' || only === 'losses') query = query.where('problems', 'is', null)
  }
  return query.limit(limit).execute()
}

/** The rows of an import in parts of at most `limit`, in their order. */
export async function* partsOf(
  db: Db,
  id: string,
  { limit, only }: { limit: number; only?: OnlyRows },
): AsyncGenerator<StagedRow[]> {
  for (let from = 0; ; ) {
    const part = await rowsFrom(db, id, { from, limit, only })
    const last = part.at(-1)
    if (last) yield part
    if (!last || part.length < limit) return
    from = last.n + 1
  }
}

/** The columns of which one says what is wrong */
const wrong = {
  problems: ['problems'],
  'lost-paths': ['lost_path'],
  losses: ['lost_path', 'losses'],
  wrong: ['problems', 'lost_path', 'losses'],
} as const

type OnlyRows = keyof typeof wrong | 'ready' | 'kept' | undefined

/** The kept parts of most rows, as they are stored. Rows of an older version have null. */
const NOTHING_KEPT = JSON.stringify({
  isPaused: false,
  externalId: null,
  short: null,
  former: [],
  look: null,
} satisfies KeptParts)

/** Counts rows that are ready and lose something. */
const lostBy = (what: RawBuilder<unknown>) =>
  sql<number>`count(case when problems is null then ${what} end)`

/** How many rows an import has, how many of them have problems, and how many lose their custom path or anything. */
export async function countRows(db: Db, id: string) {
  const counts = await db
    .selectFrom('import_rows')
    .select(({ fn }) => [
      fn.countAll().as('rows'),
      fn.count('problems').as('problems'),
      lostBy(sql`lost_path`).as('lost'),
      lostBy(sql`coalesce(lost_path, losses)`).as('losses'),
    ])
    .where('import_id', '=', id)
    .executeTakeFirstOrThrow()
  return {
    rows: Number(counts.rows),
    problems: Number(counts.problems),
    lost_paths: Number(counts.lost),
    losses: Number(counts.losses),
  }
}

/** The custom paths that the codes of an import will have. */
export async function pathsOfRows(db: Db, id: string): Promise<string[]> {
  const kept = rowsWhere(db, 'import_rows', { import_id: id, problems: null, lost_path: null })
  const rows = await kept.clearSelect().select('path').where('path', 'is not', null).execute()
  return rows.map(({ path }) => path ?? '')
}

/** The different lists of tags in the rows of an import that are ready. */
export async function tagsOfRows(db: Db, id: string): Promise<string[][]> {
  const ready = rowsWhere(db, 'import_rows', { import_id: id, problems: null })
  const lists = await ready.clearSelect().select('tags').distinct().execute()
  return lists.map(({ tags }) => JSON.parse(tags) as string[])
}

const TAKEN_PATH = errorTable.custom_path_taken.message
const PATH_NOT_IN_PLAN = errorTable.custom_path_not_in_plan.message

/** Says of each row whether its custom path can be had: whether the plan has them, and no code has this one. */
export async function checkPaths(
  tx: Tx,
  { id, workspace_id, domain_id }: Pick<ImportRecord, 'id' | 'workspace_id' | 'domain_id'>,
  { customPaths }: { customPaths: boolean },
): Promise<void> {
  const taken =
    domain_id === null
      ? sql`exists (select 1 from paths where paths.key = import_rows.path)`
      : sql`exists
        (select 1 from paths where paths.key = cast(${`${domain_id}/`} as text) || import_rows.path)
        or exists (select 1 from paths join codes on codes.id = paths.code_id
          where paths.key = lower(import_rows.path) and paths.kind = 'short' and codes.workspace_id = ${workspace_id})`
  const why = customPaths
    ? sql<string | null>`case when ${taken} then cast(${TAKEN_PATH} as text) end`
    : sql<string | null>`cast(${PATH_NOT_IN_PLAN} as text)`
  await updateWhere(tx, 'import_rows', { import_id: id })
    .set({ lost_path: why })
    .where('path', 'is not', null)
    // A path that an earlier row has, or that breaks our rules, is lost anyway.
    .where((row) =>
      row.or([
        row('lost_path', 'is', null),
        row('lost_path', 'in', [TAKEN_PATH, PATH_NOT_IN_PLAN]),
      ]),
    )
    .where('lost_path', 'is distinct from', why)
    .execute()
}

/** The text of the row reader's `samePath`, with any number */
const SAME_PATH = 'Row % has the same custom URL'

/** Says again of all ready rows with a path which of them has it: the first one. */
export async function settlePath(tx: Tx, id: string, path: string): Promise<void> {
  const rivals = sql<SqlBool>`import_id = ${id} and path = ${path} and problems is null
    and (lost_path is null or lost_path in (${TAKEN_PATH}, ${PATH_NOT_IN_PLAN})
      or lost_path like ${SAME_PATH})`
  const { first } = await tx
    .selectFrom('import_rows')
    .select(({ fn }) => fn.min('row').as('first'))
    .where(rivals)
    .executeTakeFirstOrThrow()
  if (first === null) return
  const why = sql<string | null>`case when ${sql.ref('row')} <> ${first}
    then cast(${SAME_PATH.replace('%', String(first))} as text) end`
  await tx.updateTable('import_rows').set({ lost_path: why }).where(rivals).execute()
}

/** The ids that the codes of an import's rows have; a row that was left out has no code. */
export const idsOfImport = (db: Db, id: string) =>
  db.selectFrom('import_rows').select('code_id').where('import_id', '=', id.toLowerCase())

/** Says of these rows that other codes have their custom paths. */
export async function setLostPath(tx: Tx, id: string, numbers: readonly number[]): Promise<void> {
  await updateWhere(tx, 'import_rows', { import_id: id })
    .set({ lost_path: TAKEN_PATH })
    .where('n', 'in', [...numbers])
    .execute()
}

/** A file that is not used is removed after this time. */
const OPEN_MS = OPEN_IMPORT_HOURS * HOUR_MS
/** A used one is removed after this time. */
const USED_MS = USED_IMPORT_DAYS * DAY_MS

/** When an import is removed. */
export const endOf = ({ made_at, published_at }: Pick<ImportRecord, 'made_at' | 'published_at'>) =>
  published_at === null ? made_at + OPEN_MS : published_at + USED_MS

/** Abandons imports that are too old, and files whose reading has not ended for an hour. It leaves those that a process has in hand or still announces. */
export async function abandonOld(db: Db, now: Date): Promise<void> {
  const at = now.getTime()
  await clampFutureTimes(db, 'imports', 'made_at', now)
  await clampFutureTimes(db, 'imports', 'published_at', now)
  const abandon = (state: ImportRecord['state'], since: 'made_at' | 'published_at', ms: number) =>
    updateWhere(db, 'imports', { state })
      .set({ state: 'abandoned' })
      .where(since, '<=', at - ms)
  await abandon('reading', 'made_at', HOUR_MS).execute()
  await abandon('checked', 'made_at', OPEN_MS).execute()
  await abandon('publishing', 'made_at', 2 * OPEN_MS)
    .where(isFree('held_until', now))
    .execute()
  await abandon('published', 'published_at', USED_MS)
    .where((row) => row('told', '=', row.ref('rows')))
    .execute()
}

/** Removes abandoned imports with their rows, a few at a time; those of one account if it is named. */
export async function removeAbandoned(db: Db, workspaceId?: WorkspaceId): Promise<void> {
  for (;;) {
    let query = db.selectFrom('imports').select('id').where('state', '=', 'abandoned')
    if (workspaceId !== undefined) query = query.where('workspace_id', '=', workspaceId)
    const found = await query.limit(1).executeTakeFirst()
    if (!found) return
    await removeRows(db, found.id)
    await db.deleteFrom('imports').where('id', '=', found.id).execute()
  }
}

/** Rows that one statement deletes. */
const BATCH = 1_000

async function removeRows(db: Db, id: string): Promise<void> {
  for (let end = BATCH; ; end += BATCH) {
    await db.deleteFrom('import_rows').where('import_id', '=', id).where('n', '<', end).execute()
    const left = db.selectFrom('import_rows').select('n').where('import_id', '=', id).limit(1)
    if (!(await left.executeTakeFirst())) return
  }
}

/** Removes all imports of an account. Codes that they have made stay. */
export async function removeImports(db: Db, workspaceId: WorkspaceId): Promise<void> {
  await updateWhere(db, 'imports', { workspace_id: workspaceId })
    .set({ state: 'abandoned' })
    .execute()
  await removeAbandoned(db, workspaceId)
}
