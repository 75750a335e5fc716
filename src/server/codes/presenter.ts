import type { BinnedCode, QrCode } from '#contract/codes.ts'
import type { KeptLook } from '#contract/pictures/looks.ts'
import type { TagColour } from '#contract/tag-values.ts'
import type { Tag } from '#contract/tags.ts'
import type { Verdict } from '#qr/scan-check/verdict.ts'
import type { Ecc, Style } from '#qr/symbol/look.ts'
import { pictureVersion as pictureVersionOf } from '../pictures/picture-versions.ts'
import type { CodeRow, DeletedRow } from './codes-store.ts'
import { artworkOf, savedDesign } from './pictures/code-look.ts'
import { BIN_LIFE_MS } from './rules.ts'
import { fieldsIn, type LookRow } from './styles/styles-store.ts'
import type { TagRow } from './tags/tags-store.ts'

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

/** A kept look. */
export function presentLook(row: LookRow): KeptLook {
  const { id, name, is_default, made_at } = row
  return { id, name, look: fieldsIn(row), isDefault: is_default === 1, createdAt: iso(made_at) }
}

/** A tag. @param codes how many codes have each tag, by the tag's id */
export function presentTag(row: TagRow, codes: ReadonlyMap<string, number>): Tag {
  const { id, name, colour, made_at } = row
  return {
    ...{ id, name, colour: colour as TagColour },
    codes: codes.get(id) ?? 0,
    createdAt: iso(made_at),
  }
}

/** On another host the server has other links, and so other pictures, than those that were checked. */
function isVerdictOn(version: string, { legibility_of }: CodeRow): boolean {
  return legibility_of?.endsWith(`.${version}`) ?? false
}
