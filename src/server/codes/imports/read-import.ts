import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { foldedTag, TAGS_MAX } from '#contract/code-values.ts'
import { errorTable } from '#contract/errors.ts'
import {
  FIRST_PROBLEMS,
  IMPORT_ROWS_MAX,
  type ImportFormat,
  OPEN_IMPORTS_MAX,
} from '#contract/imports.ts'
import { transact } from '../../database/transact.ts'
import { count } from '../../http/limits/counts-store.ts'
import { listTags } from '../tags/tags-store.ts'
import type { CodeDeps } from '../types.ts'
import { recordsOf, refuseFile } from './file-records.ts'
import {
  abandonOlder,
  changeImport,
  checkPaths,
  countRows,
  type ImportRecord,
  insertImport,
  removeAbandoned,
  rowsFrom,
  type StagedRow,
  stageRows,
} from './imports-store.ts'
import { type ReadRow, type RowReader, rowReader, samePath } from './row-reader.ts'

type Deps = Pick<CodeDeps, 'db' | 'clock' | 'publicUrl' | 'entitlementsOf'>

export type ImportFile = { name: string; format: ImportFormat | 'auto'; bytes: Buffer }

/** Rows that are written in one transaction */
const BATCH = 250
/** Rows that are looked at without a pause. */
const PART_ROWS = 50

const TOO_MANY = `This file has more than ${IMPORT_ROWS_MAX.toLocaleString('en-US')} rows. Split it into several files.`
const EMPTY = 'This file has no rows below the names of its columns.'

/**
 * Reads a file, and keeps its rows with what is wrong with each. Nothing can be seen of it before all
 * rows are there. Returns the import, and its first rows with a problem or without their custom path.
 * @throws AppError import_unreadable, rate_limited
 */
export async function readImport(
  deps: Deps,
  userId: string,
  file: ImportFile,
): Promise<{ record: ImportRecord; first: StagedRow[] }> {
  const { db, clock } = deps
  await count(db, 'imports', userId, clock())
  const record = await insertImport(db, {
    id: randomUUID(),
    user_id: userId,
    name: file.name,
    format: file.format,
    state: 'reading',
    columns: '[]',
    rows: 0,
    problems: 0,
    lost_paths: 0,
    done: 0,
    told: 0,
    made_at: clock().getTime(),
  })
  const { id } = record
  try {
    const { format, columns } = await readRows(deps, record, file)
    const plan = await deps.entitlementsOf(db, userId)
    await transact(db, (tx) => checkPaths(tx, id, plan))
    const found = { format, columns: JSON.stringify(columns), ...(await countRows(db, id)) }
    await changeImport(db, { id, states: ['reading'] }, { state: 'checked', ...found })
    await abandonOlder(db, userId, OPEN_IMPORTS_MAX)
    // Until the next sweep an account could fill the disk with files that it never uses.
    await removeAbandoned(db, userId)
    const first = await rowsFrom(db, id, { limit: FIRST_PROBLEMS, only: 'both' })
    return { record: { ...record, ...found, state: 'checked' }, first }
  } catch (error) {
    await changeImport(db, { id, states: ['reading'] }, { state: 'abandoned' })
    await removeAbandoned(db, userId)
    throw error
  }
}

/** Keeps the rows of a file. Returns how its columns are read. */
async function readRows(
  { db, publicUrl }: Deps,
  { id, user_id }: ImportRecord,
  file: ImportFile,
): Promise<RowReader> {
  const tags = new Set((await listTags(db, user_id)).map(({ folded }) => folded))
  const firstRowOf = new Map<string, number>()
  let reader: RowReader | undefined
  let read = 0
  let batch: StagedRow[] = []

  /** Says what is wrong with a row beside others: a path that an earlier one has, tags beyond the account's. */
  function compare(row: ReadRow) {
    if (row.path !== null && row.lostPath === null) {
      const first = firstRowOf.get(row.path)
      if (first === undefined) firstRowOf.set(row.path, row.row)
      else row.lostPath = samePath(first)
    }
    for (const name of row.tags) tags.add(foldedTag(name))
    if (row.tags.length > 0 && tags.size > TAGS_MAX) {
      row.problems.push({ field: 'tags', message: errorTable.tags_full.message })
    }
  }

  async function write() {
    const rows = batch
    batch = []
    await transact(db, (tx) => stageRows(tx, rows))
  }

  for await (const each of recordsOf(file.bytes)) {
    if (!reader) {
      reader = rowReader(each, file.format, { publicUrl })
      continue
    }
    if (read === IMPORT_ROWS_MAX) refuseFile(TOO_MANY)
    const row = reader.read(each)
    compare(row)
    batch.push(stagedRow(id, read++, row))
    if (read % PART_ROWS === 0) await nextTurn()
    if (batch.length === BATCH) await write()
  }
  if (!reader || read === 0) refuseFile(EMPTY)
  await write()
  return reader
}

function stagedRow(importId: string, n: number, row: ReadRow): StagedRow {
  return {
    import_id: importId,
    n,
    row: row.row,
    name: row.name,
    url: row.url,
    path: row.path,
    tags: JSON.stringify(row.tags),
    problems: row.problems.length > 0 ? JSON.stringify(row.problems) : null,
    lost_path: row.lostPath,
    code_id: randomUUID(),
  }
}
