import type { BinnedCode, LookQuery, QrCode } from '#contract/codes.ts'
import type { Artwork } from '#qr/artwork/artwork.ts'
import type { Verdict } from '#qr/scan-check/verdict.ts'
import type { Design, Ecc, Style } from '#qr/symbol/look.ts'
import type { Db, Tx } from '../database/schema.ts'
import { pictureVersion as pictureVersionOf } from '../pictures/picture-versions.ts'
import { type CodeRow, type DeletedRow, expiredCodes } from './codes-store.ts'
import { BIN_LIFE_MS } from './rules.ts'
import { tagsOf } from './tags/tags-store.ts'
import type { PublishCodes } from './types.ts'

const iso = (instant: number) => new Date(instant).toISOString()

/** A row as every call answers it. */
export function presentCode(row: CodeRow, publicUrl: string, tags: string[]): QrCode {
  const pictureVersion = pictureVersionOf(savedDesign(row, publicUrl))
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    vanityUrl: row.vanity_url,
    style: row.style as Style,
    foregroundColor: row.foreground_color,
    backgroundColor: row.background_color,
    ecc: row.ecc as Ecc,
    compact: row.compact === 1,
    artwork: artworkOf(row),
    pictureVersion,
    legibility: isVerdictOn(pictureVersion, row) ? (row.legibility as Verdict) : null,
    tags,
    shortCode: row.short_code,
    isActive: row.paused_at === null,
    expiresAt: row.expires_at === null ? null : iso(row.expires_at),
    createdAt: iso(row.created_at),
    version: row.version,
  }
}

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

/** What to draw: the look of the query, and the saved look for the rest. */
export function designOf(row: CodeRow, query: LookQuery, publicUrl: string): Design {
  return {
    text: `${publicUrl}/qr/${row.vanity_url ?? row.short_code}`,
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

/** Tells the account's webhooks what happened to codes of one account, as the calls answer them. */
export async function publishCodes(
  { publish, publicUrl }: { publish: PublishCodes; publicUrl: string },
  tx: Tx,
  type: Parameters<PublishCodes>[2],
  rows: readonly CodeRow[],
): Promise<void> {
  const [first] = rows
  if (!first) return
  const userId = first.user_id
  await publish(tx, userId, type, () => newsOf(tx, userId, rows, publicUrl))
}

async function newsOf(
  db: Db,
  userId: string,
  rows: readonly CodeRow[],
  publicUrl: string,
): Promise<object[]> {
  const ids = rows.map(({ id }) => id)
  const tagsBy = await tagsOf(db, userId, ids)
  return rows.map((row) => presentCode(row, publicUrl, tagsBy(row)))
}

/** The codes of these accounts that stopped working after `from`, up to `until`, as webhooks are told of them. */
export async function expiredNews(
  db: Db,
  asked: { userIds: string[]; from: number; until: number },
  publicUrl: string,
): Promise<{ userId: string; data: object }[]> {
  const byOwner = Map.groupBy(await expiredCodes(db, asked), ({ user_id }) => user_id)
  const news = await Promise.all(
    [...byOwner].map(async ([userId, rows]) => {
      const told = await newsOf(db, userId, rows, publicUrl)
      return told.map((data) => ({ userId, data }))
    }),
  )
  return news.flat()
}
