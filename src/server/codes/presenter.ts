import type { BinnedCode, LookQuery, QrCode } from '#contract/codes.ts'
import type { ImportEntry, ImportRow } from '#contract/imports.ts'
import { shortLink } from '#contract/links.ts'
import type { Artwork } from '#qr/artwork/artwork.ts'
import type { Verdict } from '#qr/scan-check/verdict.ts'
import type { Design, Ecc, Style } from '#qr/symbol/look.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { Db, Tx } from '../database/schema.ts'
import { iso } from '../dates.ts'
import { pictureVersion as pictureVersionOf } from '../pictures/picture-versions.ts'
import { type CodeRow, type DeletedRow, expiredCodes } from './codes-store.ts'
import { endOf, type ImportRecord, type StagedRow } from './imports/imports-store.ts'
import type { KeptParts } from './imports/row-reader.ts'
import { BIN_LIFE_MS } from './rules.ts'
import { tagsOf } from './tags/tags-store.ts'
import type { PublishCodes } from './types.ts'

/** A code as every call returns it. */
export function presentCode(row: CodeRow, publicUrl: string, tags: string[]): QrCode {
  const pictureVersion = pictureVersionOf(savedDesign(row, publicUrl))
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    link: shortLink(row.vanity_url ?? row.short_code, row.domain, publicUrl),
    domain: row.domain,
    vanityUrl: row.vanity_url,
    ...presentLook(row),
    pictureVersion,
    legibility: isVerdictOn(pictureVersion, row) ? (row.legibility as Verdict) : null,
    tags,
    shortCode: row.short_code,
    isActive: row.paused_at === null,
    expiresAt: iso(row.expires_at),
    createdAt: iso(row.created_at),
    externalId: row.external_id,
    passQuery: row.pass_query === 1,
    version: row.version,
  }
}

export const presentLook = (row: CodeRow) => ({
  style: row.style as Style,
  foregroundColor: row.foreground_color,
  backgroundColor: row.background_color,
  ecc: row.ecc as Ecc,
  compact: row.compact === 1,
  artwork: artworkOf(row),
})

/** A row of the bin. */
export function presentBinned(row: DeletedRow, publicUrl: string, tags: string[]): BinnedCode {
  return {
    ...presentCode(row, publicUrl, tags),
    deletedAt: iso(row.deleted_at),
    purgedAt: iso(row.deleted_at + BIN_LIFE_MS),
  }
}

/** On another host the server has other links, and so other pictures, than those that were checked. */
function isVerdictOn(version: string, { legibility_of }: CodeRow): boolean {
  return legibility_of?.endsWith(`.${version}`) ?? false
}

/** The design of a code's picture: its link, and the look that the code is saved with. */
export function savedDesign(row: CodeRow, publicUrl: string): Design {
  return designOf(row, {}, publicUrl)
}

/** The design to draw: the look of the query, and the saved look for the rest. */
export function designOf(row: CodeRow, query: LookQuery, publicUrl: string): Design {
  return {
    text: shortLink(row.vanity_url ?? row.short_code, row.domain, publicUrl),
    compact: query.compact ?? row.compact === 1,
    ecc: query.ecc ?? (row.ecc as Ecc),
    style: query.style ?? (row.style as Style),
    foreground: query.fg ?? row.foreground_color,
    background: query.bg ?? row.background_color,
    artwork: query.artwork === undefined ? artworkOf(row) : query.artwork,
  }
}

/** A row's artwork; it was validated before it was stored. */
function artworkOf({ artwork }: Pick<CodeRow, 'artwork'>): Artwork | null {
  return artwork === null ? null : (JSON.parse(artwork) as Artwork)
}

/** Publishes a change of codes of one account to its webhooks, with the codes as the calls return them. */
export async function publishCodes(
  { publish, publicUrl }: { publish: PublishCodes; publicUrl: string },
  tx: Tx,
  type: Parameters<PublishCodes>[2],
  rows: readonly CodeRow[],
): Promise<void> {
  const workspaceId = rows[0]?.workspace_id
  if (workspaceId)
    await publish(tx, workspaceId, type, () => presentCodes(tx, workspaceId, rows, publicUrl))
}

/** Codes of one account with their tags */
async function presentCodes(
  db: Db,
  workspaceId: WorkspaceId,
  rows: readonly CodeRow[],
  publicUrl: string,
): Promise<QrCode[]> {
  const ids = rows.map(({ id }) => id)
  const tagsBy = await tagsOf(db, workspaceId, ids)
  return rows.map((row) => presentCode(row, publicUrl, tagsBy(row)))
}

/** The codes of these accounts that stopped working after `from`, up to `until`, as webhooks get them. */
export async function expiredNews(
  db: Db,
  asked: { workspaceIds: WorkspaceId[]; from: number; until: number },
  publicUrl: string,
): Promise<{ workspaceId: WorkspaceId; data: object }[]> {
  const byOwner = Map.groupBy(await expiredCodes(db, asked), ({ workspace_id }) => workspace_id)
  const news = await Promise.all(
    [...byOwner].map(async ([workspaceId, rows]) => {
      const codes = await presentCodes(db, workspaceId, rows, publicUrl)
      return codes.map((data) => ({ workspaceId, data }))
    }),
  )
  return news.flat()
}

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
