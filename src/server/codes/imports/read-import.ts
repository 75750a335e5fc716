import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { errorTable } from '#contract/errors.ts'
import {
  FIRST_PROBLEMS,
  IMPORT_ROWS_MAX,
  type ImportFormat,
  type ImportRow,
  OPEN_IMPORTS_MAX,
} from '#contract/imports.ts'
import { foldedTag, TAGS_MAX } from '#contract/tag-values.ts'
import { transact } from '../../database/transact.ts'
import { count } from '../../http/limits/counts-store.ts'
import type { LifecycleDeps } from '../change-code.ts'
import { newShortCode } from '../paths-store.ts'
import { listTags } from '../tags/tags-store.ts'
import { type FileRecord, fileRecords, isJson, refuseFile } from './file-records.ts'
import {
  abandonOlder,
  changeImport,
  type ImportRecord,
  insertImport,
  insertRows,
  removeAbandoned,
  type StagedRow,
  takenKeys,
} from './imports-store.ts'
import { jsonRecords } from './json-records.ts'
import { presentRow } from './present-import.ts'
import {
  foldedTags,
  PATH_NOT_IN_PLAN,
  type ReadRow,
  type RowReader,
  rowReader,
  samePath,
  TAKEN_PATH,
} from './row-reader.ts'

export type ReadDeps = Pick<LifecycleDeps, 'db' | 'clock' | 'publicUrl' | 'entitlementsOf'>

export type ImportFile = { name: string; format: ImportFormat | 'auto'; bytes: Buffer }

/** Rows that are written in one transaction: their statement is made in about two milliseconds. */
const BATCH = 100
/** Rows that are looked at without a pause. */
const PART_ROWS = 50

const TOO_MANY = `This file has more than ${IMPORT_ROWS_MAX.toLocaleString('en-US')} rows. Split it into several files.`
const EMPTY = 'This file has no rows below the names of its columns.'

/**
 * Reads a file, and keeps its rows with what is wrong with each. Nothing can be seen of it before all
 * rows are there.
 * @throws AppError import_unreadable, rate_limited
 */
export async function readImport(
  deps: ReadDeps,
  userId: string,
  file: ImportFile,
): Promise<{ record: ImportRecord; firstProblems: ImportRow[] }> {
  const { db, clock } = deps
  await count(db, 'imports', userId, clock())
  const record = recordOf(userId, file, clock())
  await insertImport(db, record)
  try {
    const read = await readRows(deps, record, file)
    const { firstProblems, ...found } = read
    await changeImport(db, { id: record.id, states: ['reading'] }, { state: 'checked', ...found })
    await abandonOlder(db, userId, OPEN_IMPORTS_MAX)
    // Until the next sweep an account could fill the disk with files that it never uses.
    await removeAbandoned(db, userId)
    return { record: { ...record, ...found, state: 'checked' }, firstProblems }
  } catch (error) {
    await changeImport(db, { id: record.id, states: ['reading'] }, { state: 'abandoned' })
    await removeAbandoned(db, userId)
    throw error
  }
}

function recordOf(userId: string, { name, format }: ImportFile, now: Date): ImportRecord {
  return {
    ...{ id: randomUUID(), user_id: userId, name, format, state: 'reading' as const },
    ...{ columns: '[]', rows: 0, problems: 0, lost_paths: 0, done: 0, told: 0 },
    ...{ wanted: null, fault: null, made_at: now.getTime(), published_at: null },
    ...{ holder: null, held_until: null },
  }
}

const recordsOf = (bytes: Buffer): AsyncIterable<FileRecord> =>
  isJson(bytes) ? jsonRecords(bytes) : fileRecords(bytes)

async function readRows(deps: ReadDeps, record: ImportRecord, file: ImportFile) {
  const { db, publicUrl, entitlementsOf } = deps
  const { customPaths } = await entitlementsOf(db, record.user_id)
  const tags = new Set((await listTags(db, record.user_id)).map(({ folded }) => folded))
  const firstRowOf = new Map<string, number>()
  const found = { rows: 0, problems: 0, lost_paths: 0 }
  const firstProblems: ImportRow[] = []
  let reader: RowReader | undefined
  let batch: ReadRow[] = []

  /** What is wrong with a row beside others: a path that one has, tags beyond the account's. */
  function compare(row: ReadRow) {
    if (row.path !== null && row.lostPath === null) {
      const first = firstRowOf.get(row.path)
      if (first === undefined) firstRowOf.set(row.path, row.row)
      if (first !== undefined) row.lostPath = samePath(first)
      else if (!customPaths) row.lostPath = PATH_NOT_IN_PLAN
    }
    for (const name of row.tags) tags.add(foldedTag(name))
    if (row.tags.length > 0 && tags.size > TAGS_MAX) {
      row.problems.push({ field: 'tags', message: errorTable.tags_full.message })
    }
  }

  async function write() {
    const wanted = batch.flatMap(({ path, lostPath }) => (path && lostPath === null ? path : []))
    const taken = await takenKeys(db, wanted)
    const staged = batch.map((row, index): StagedRow => {
      if (row.path !== null && taken.has(row.path)) row.lostPath ??= TAKEN_PATH
      return stagedRow(record.id, found.rows + index, row)
    })
    for (const row of staged) {
      if (row.problems) found.problems++
      if (row.lost_path) found.lost_paths++
      if ((row.problems || row.lost_path) && firstProblems.length < FIRST_PROBLEMS) {
        firstProblems.push(presentRow(row, 'checked'))
      }
    }
    found.rows += batch.length
    batch = []
    await transact(db, (tx) => insertRows(tx, staged))
  }

  for await (const each of recordsOf(file.bytes)) {
    if (!reader) {
      reader = rowReader(each, file.format, { publicUrl })
      continue
    }
    if (found.rows + batch.length === IMPORT_ROWS_MAX) refuseFile(TOO_MANY)
    const row = reader.read(each)
    compare(row)
    batch.push(row)
    if (batch.length % PART_ROWS === 0) await nextTurn()
    if (batch.length === BATCH) await write()
  }
  if (!reader || found.rows + batch.length === 0) refuseFile(EMPTY)
  await write()
  const { format, columns } = reader
  return { ...found, format, columns: JSON.stringify(columns), firstProblems }
}

function stagedRow(importId: string, n: number, row: ReadRow): StagedRow {
  return {
    ...{ import_id: importId, n, row: row.row, name: row.name, url: row.url, path: row.path },
    tags: JSON.stringify(row.tags),
    folded: foldedTags(row.tags),
    problems: row.problems.length > 0 ? JSON.stringify(row.problems) : null,
    lost_path: row.lostPath,
    ...{ code_id: randomUUID(), short_code: newShortCode() },
  }
}
