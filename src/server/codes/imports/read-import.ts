import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { foldedTag, TAGS_MAX } from '#contract/codes/code-values.ts'
import {
  FIRST_PROBLEMS,
  IMPORT_ROWS_MAX,
  type ImportColumns,
  type ImportEncoding,
  type ImportEntry,
  type ImportFormat,
  type importQuery,
  OPEN_IMPORTS_MAX,
} from '#contract/imports.ts'
import type { z } from '#contract/zod.ts'
import { type Actor, transactAs } from '../../actor.ts'
import type { Entitlements } from '../../billing/types.ts'
import { AppError } from '../../http/errors.ts'
import { count } from '../../http/limits/counts-store.ts'
import { domainAfter, domainOfRow } from '../codes-store.ts'
import { listTags } from '../tags/tags-store.ts'
import type { CodeDeps, CodeDomain } from '../types.ts'
import type { FileRecord } from './file-records.ts'
import { type FileRows, rowsOf } from './file-rows.ts'
import { refuseFile } from './file-text.ts'
import {
  abandonOlder,
  changeImport,
  checkPaths,
  countRows,
  type ImportRecord,
  insertImport,
  ownImport,
  partsOf,
  type RowTexts,
  removeAbandoned,
  rowsFrom,
  type StagedRow,
  stageRows,
} from './imports-store.ts'
import { type Others, settleAgain, settleKept } from './kept-parts.ts'
import { readFile } from './read-file.ts'
import {
  type ReaderOptions,
  type ReadRow,
  type RowReader,
  rowReader,
  samePath,
} from './row-reader.ts'

type Deps = Pick<
  CodeDeps,
  'db' | 'clock' | 'publicUrl' | 'entitlementsOf' | 'domainOf' | 'domainOfNew'
>

export type ImportFile = z.output<typeof importQuery> & { bytes: Buffer }

/** Rows that were read, and where they come from */
type Source = FileRows & {
  name: string
  encoding: ImportEncoding
  /** The domain of the codes */
  domain: CodeDomain | null
  /** The import whose place this one takes */
  replaces?: string
}

/** An import that was read, and its first rows with a problem or a loss */
type Read = { record: ImportRecord; first: StagedRow[] }

/** Rows that are written in one transaction */
const BATCH = 250
/** Rows that are looked at without a pause. */
const PART_ROWS = 50

const TOO_MANY = `This file has more than ${IMPORT_ROWS_MAX.toLocaleString('en-US')} rows. Split it into several files.`

/**
 * Reads a file, and keeps its rows with what is wrong with each. Nothing can be seen of it before all
 * rows are there.
 * @throws AppError import_unreadable, rate_limited, invalid_input
 */
export async function readImport(
  deps: Deps,
  actor: Actor,
  { name, format, bytes, ...asked }: ImportFile,
): Promise<Read> {
  const { db } = deps
  const { workspaceId } = actor
  await count(db, 'imports', workspaceId, deps.clock())
  const usual = await deps.domainOfNew(db, workspaceId)
  const domain = await domainAfter(db, deps, workspaceId, asked, usual)
  const options = readerOptions(deps, { format, domain: domain?.host ?? null })
  return readFile({ name, bytes, options }, (file) =>
    keepRows(deps, actor, { ...file, name, domain }),
  )
}

const readerOptions = (
  { publicUrl, clock }: Pick<Deps, 'publicUrl' | 'clock'>,
  read: Pick<ReaderOptions, 'format' | 'domain' | 'chosen'>,
): ReaderOptions => ({ ...read, publicUrl, now: clock() })

/**
 * Reads the rows of an import again, with its columns and its domain as the owner has chosen them. What comes of it
 * takes the import's place.
 * @throws AppError not_found, import_not_ready, rate_limited, invalid_input
 */
export async function readAgain(
  deps: Deps,
  actor: Actor,
  id: string,
  { columns: chosen, ...asked }: ImportColumns,
): Promise<Read> {
  const { db, clock } = deps
  const { workspaceId } = actor
  const record = await ownImport(db, workspaceId, id)
  if (record.state !== 'checked') throw new AppError('import_not_ready')
  await count(db, 'imports', workspaceId, clock())
  const domain = await domainAfter(db, deps, workspaceId, asked, domainOfRow(record))
  const format = record.format as ImportFormat
  const options = readerOptions(deps, { format, domain: domain?.host ?? null, chosen })
  const file = await rowsOf(keptRecords(deps, record), options)
  return keepRows(deps, actor, {
    ...file,
    name: record.name,
    encoding: record.encoding as ImportEncoding,
    domain,
    replaces: record.id,
  })
}

/** The records of a file that was read before. */
async function* keptRecords({ db }: Deps, record: ImportRecord): AsyncGenerator<FileRecord> {
  yield { row: 1, cells: namesOf(record) }
  for await (const rows of partsOf(db, record.id, { limit: BATCH })) {
    for (const { row, cells } of rows) yield { row, cells: JSON.parse(cells) as string[] }
  }
}

const namesOf = ({ columns }: ImportRecord) =>
  (JSON.parse(columns) as RowReader['columns']).map(({ name }) => name)

/** The reader of an import's rows, as its columns were read. */
export function readerOf(record: ImportRecord, deps: Pick<Deps, 'publicUrl' | 'clock'>): RowReader {
  const format = record.format as ImportFormat
  const chosen = (JSON.parse(record.columns) as RowReader['columns']).map(({ as }) => as)
  return rowReader(namesOf(record), readerOptions(deps, { format, domain: record.domain, chosen }))
}

async function keepRows(deps: Deps, actor: Actor, source: Source): Promise<Read> {
  const { db, clock } = deps
  const { workspaceId } = actor
  const begun = {
    id: randomUUID(),
    workspace_id: workspaceId,
    made_by: actor.personId,
    name: source.name,
    format: source.format,
    encoding: source.encoding,
    domain: source.domain?.host ?? null,
    domain_id: source.domain?.id ?? null,
    state: 'reading',
    columns: '[]',
    rows: 0,
    problems: 0,
    lost_paths: 0,
    losses: 0,
    done: 0,
    told: 0,
    made_at: clock().getTime(),
  } as const
  const record = await transactAs(db, actor, (tx) => insertImport(tx, begun))
  const { id } = record
  try {
    const plan = await deps.entitlementsOf(db, workspaceId)
    const columns = await readRows(deps, actor, record, plan, source)
    const found = await transactAs(db, actor, async (tx) => {
      await checkPaths(tx, record, plan)
      await settleAgain(tx, record, plan)
      const found = { columns: JSON.stringify(columns), ...(await countRows(tx, id)) }
      await changeImport(tx, { id, states: ['reading'] }, { state: 'checked', ...found })
      if (source.replaces !== undefined) {
        const before = { id: source.replaces, states: ['checked'] as const }
        await changeImport(tx, before, { state: 'abandoned' })
      }
      await abandonOlder(tx, workspaceId, OPEN_IMPORTS_MAX)
      return found
    })
    // Until the next sweep an account could fill the disk with files that it never uses.
    await removeAbandoned(db, workspaceId)
    const first = await rowsFrom(db, id, { limit: FIRST_PROBLEMS, only: 'wrong' })
    return { record: { ...record, ...found, state: 'checked' }, first }
  } catch (error) {
    await changeImport(db, { id, states: ['reading'] }, { state: 'abandoned' })
    await removeAbandoned(db, workspaceId)
    throw error
  }
}

/** Keeps the rows of a file. Returns its columns, each with a sample. */
async function readRows(
  { db }: Deps,
  actor: Actor,
  record: ImportRecord,
  plan: Entitlements,
  file: FileRows,
): Promise<ImportEntry['columns']> {
  const tags = new Set((await listTags(db, record.workspace_id)).map(({ folded }) => folded))
  const firstRowOf = new Map<string, number>()
  let sample: readonly string[] = []
  let read = 0
  let batch: { n: number; row: ReadRow }[] = []
  const earlier: Others = { keys: new Set(), ids: new Set() }

  /** Says what a row loses beside others: a path that an earlier one has, tags beyond the account's. */
  function compare(row: ReadRow) {
    if (row.path !== null && row.lostPath === null && row.problems.length === 0) {
      const first = firstRowOf.get(row.path)
      if (first === undefined) firstRowOf.set(row.path, row.row)
      else row.lostPath = samePath(first)
    }
    const fits = (name: string) => tags.has(foldedTag(name)) || tags.size < TAGS_MAX
    const kept = row.tags.filter((name) => {
      const hasRoom = fits(name)
      if (hasRoom) tags.add(foldedTag(name))
      return hasRoom
    })
    if (kept.length < row.tags.length) row.losses.push(TAGS_FULL)
    row.tags = kept
  }

  async function write() {
    const read = batch
    batch = []
    await settleKept(
      db,
      record,
      read.map(({ row }) => row),
      plan,
      earlier,
    )
    const rows = read.map(({ n, row }) => ({
      import_id: record.id,
      n,
      ...textsOf(row),
      code_id: randomUUID(),
    }))
    await transactAs(db, actor, (tx) => stageRows(tx, rows))
  }

  for await (const row of file.rows) {
    if (read === IMPORT_ROWS_MAX) refuseFile(TOO_MANY)
    if (read === 0) sample = row.cells
    compare(row)
    batch.push({ n: read++, row })
    if (read % PART_ROWS === 0) await nextTurn()
    if (batch.length === BATCH) await write()
  }
  await write()
  return file.columns.map((column, at) => ({
    ...column,
    sample: (sample[at] ?? '').trim().slice(0, SAMPLE_MAX).toWellFormed(),
  }))
}

/** Characters of a cell by which its column is known */
const SAMPLE_MAX = 60

const TAGS_FULL = `Some tags are left out: an account has at most ${TAGS_MAX}`

/** A row as it is stored. */
export function textsOf(row: ReadRow): RowTexts {
  return {
    row: row.row,
    name: row.name,
    url: row.url,
    path: row.path,
    tags: JSON.stringify(row.tags),
    created_at: row.createdAt,
    problems: row.problems.length > 0 ? JSON.stringify(row.problems) : null,
    lost_path: row.lostPath,
    losses: row.losses.length > 0 ? JSON.stringify(row.losses) : null,
    cells: JSON.stringify(row.cells),
    kept: JSON.stringify(row.kept),
  }
}
