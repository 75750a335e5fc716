import type { BinnedCode, LookQuery, QrCode } from '#contract/codes/codes.ts'
import { shortLink } from '#contract/links.ts'
import type { Artwork } from '#qr/artwork/artwork.ts'
import type { Verdict } from '#qr/scan-check/verdict.ts'
import type { Design, Ecc, Style } from '#qr/symbol/look.ts'
import { iso } from '../dates.ts'
import { pictureVersion as pictureVersionOf } from '../pictures/picture-versions.ts'
import type { CodeRow, DeletedRow } from './codes-store.ts'
import { TRASH_LIFE_MS } from './rules.ts'

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
    ...presentCourse(row),
    health: row.health && {
      state: row.health,
      since: iso(row.health_since ?? 0),
      seen: row.health_seen ?? '',
    },
    version: row.version,
  }
}

/** A code as webhooks get it: without what its password protects. That it has rules, and for whom, stays. */
export function presentNews(row: CodeRow, publicUrl: string, tags: string[]): QrCode {
  const code = presentCode(row, publicUrl, tags)
  if (!code.hasPassword) return code
  const rules = code.rules.map((rule) => ({
    ...rule,
    variants: rule.variants.map((variant) => ({ ...variant, url: '' })),
  }))
  return { ...code, url: '', fallbackUrl: null, rules }
}

/** Where and when a code leads, beside its destination. */
export const presentCourse = (row: CodeRow) => ({
  passQuery: row.pass_query === 1,
  startsAt: iso(row.starts_at),
  endsAt: iso(row.ends_at),
  scanLimit: row.scan_limit,
  hasPassword: row.password !== null,
  fallbackUrl: row.fallback_url,
  rules: row.rules === null ? [] : JSON.parse(row.rules),
  checksDestination: row.checks_destination === 1,
  fallbackWhenDead: row.fallback_when_dead === 1,
})

export const presentLook = (row: CodeRow) => ({
  style: row.style as Style,
  foregroundColor: row.foreground_color,
  backgroundColor: row.background_color,
  ecc: row.ecc as Ecc,
  compact: row.compact === 1,
  artwork: artworkOf(row),
})

/** A row of the trash. */
export function presentDeleted(row: DeletedRow, publicUrl: string, tags: string[]): BinnedCode {
  return {
    ...presentCode(row, publicUrl, tags),
    deletedAt: iso(row.deleted_at),
    purgedAt: iso(row.deleted_at + TRASH_LIFE_MS),
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
