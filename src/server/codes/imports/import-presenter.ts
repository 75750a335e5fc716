import type { ImportEntry, ImportRow } from '#contract/imports.ts'
import { iso } from '../../dates.ts'
import { endOf, type ImportRecord, type StagedRow } from './imports-store.ts'
import type { KeptParts } from './row-reader.ts'

/** An import as the calls return it. */
export function presentImport(row: ImportRecord): ImportEntry {
  return {
    id: row.id,
    name: row.name,
    format: row.format as ImportEntry['format'],
    encoding: row.encoding as ImportEntry['encoding'],
    domain: row.domain,
    state: row.state as ImportEntry['state'],
    columns: columnsOfImport(row),
    rows: row.rows,
    problems: row.problems,
    lostPaths: row.lost_paths,
    losses: row.losses,
    done: row.done,
    fault: row.fault === null ? null : JSON.parse(row.fault),
    madeAt: iso(row.made_at),
    publishedAt: iso(row.published_at),
    endsAt: iso(endOf(row)),
  }
}

/** The columns of an older version have no sample. */
function columnsOfImport({ columns }: ImportRecord): ImportEntry['columns'] {
  const kept = JSON.parse(columns) as ImportEntry['columns']
  return kept.map(({ name, as, sample = '' }) => ({ name, as, sample }))
}

/** A row of an import as the calls return it. */
export function presentRow(row: StagedRow, state: ImportRecord['state']): ImportRow {
  return {
    row: row.row,
    name: row.name,
    url: row.url,
    vanityUrl: row.path,
    tags: JSON.parse(row.tags),
    createdAt: iso(row.created_at),
    isPaused: row.kept !== null && (JSON.parse(row.kept) as KeptParts).isPaused,
    problems: row.problems === null ? [] : JSON.parse(row.problems),
    lostPath: row.lost_path,
    losses: row.losses === null ? [] : JSON.parse(row.losses),
    codeId: state === 'published' && row.problems === null ? row.code_id : null,
  }
}
