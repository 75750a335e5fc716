import type { ImportEntry, ImportRow } from '#contract/imports.ts'
import { endOf, type ImportRecord, type StagedRow } from './imports-store.ts'

const iso = (instant: number) => new Date(instant).toISOString()

/** An import as the calls answer it. */
export function presentImport(row: ImportRecord): ImportEntry {
  return {
    id: row.id,
    name: row.name,
    format: row.format as ImportEntry['format'],
    state: row.state as ImportEntry['state'],
    columns: JSON.parse(row.columns),
    rows: row.rows,
    problems: row.problems,
    lostPaths: row.lost_paths,
    done: row.done,
    fault: row.fault === null ? null : JSON.parse(row.fault),
    madeAt: iso(row.made_at),
    publishedAt: row.published_at === null ? null : iso(row.published_at),
    endsAt: iso(endOf(row)),
  }
}

export function presentRow(row: StagedRow, state: ImportRecord['state']): ImportRow {
  return {
    row: row.row,
    name: row.name,
    url: row.url,
    vanityUrl: row.path,
    tags: JSON.parse(row.tags),
    problems: row.problems === null ? [] : JSON.parse(row.problems),
    lostPath: row.lost_path,
    codeId: state === 'published' ? row.code_id : null,
  }
}
