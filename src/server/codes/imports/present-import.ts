import {
  type ImportEntry,
  type ImportRow,
  OPEN_IMPORT_HOURS,
  USED_IMPORT_DAYS,
} from '#contract/imports.ts'
import { DAY_MS } from '#contract/time.ts'
import type { ImportRecord, StagedRow } from './imports-store.ts'

export const OPEN_MS = (OPEN_IMPORT_HOURS * DAY_MS) / 24
export const USED_MS = USED_IMPORT_DAYS * DAY_MS

/** When an import is forgotten. */
export const endOf = ({ made_at, published_at }: Pick<ImportRecord, 'made_at' | 'published_at'>) =>
  published_at === null ? made_at + OPEN_MS : published_at + USED_MS

const iso = (instant: number) => new Date(instant).toISOString()

/** An import as the calls answer it. */
export function presentImport(row: ImportRecord): ImportEntry {
  const { id, name, format, state, rows, problems, done, made_at, published_at } = row
  return {
    ...{ id, name, rows, problems, done },
    format: format as ImportEntry['format'],
    state: state as ImportEntry['state'],
    columns: JSON.parse(row.columns),
    lostPaths: row.lost_paths,
    fault: row.fault === null ? null : JSON.parse(row.fault),
    madeAt: iso(made_at),
    publishedAt: published_at === null ? null : iso(published_at),
    endsAt: iso(endOf(row)),
  }
}

export function presentRow(row: StagedRow, state: ImportRecord['state']): ImportRow {
  return {
    ...{ row: row.row, name: row.name, url: row.url, vanityUrl: row.path },
    tags: JSON.parse(row.tags),
    problems: row.problems === null ? [] : JSON.parse(row.problems),
    lostPath: row.lost_path,
    codeId: state === 'published' ? row.code_id : null,
  }
}
