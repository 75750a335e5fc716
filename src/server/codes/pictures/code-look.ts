import type { LookQuery } from '#contract/codes.ts'
import type { Artwork } from '#qr/artwork/artwork.ts'
import type { Design, Ecc, Style } from '#qr/symbol/look.ts'
import type { CodeRow } from '../codes-store.ts'

/** What a code's picture says, a link, and the look that the code is saved with. */
export function savedDesign(row: CodeRow, publicUrl: string): Design {
  return designOf(row, {}, publicUrl)
}

/** What a row's artwork is; it was validated before it was stored. */
export function artworkOf({ artwork }: Pick<CodeRow, 'artwork'>): Artwork | null {
  return artwork === null ? null : (JSON.parse(artwork) as Artwork)
}

/** What to draw: what the query says, and the saved look for the rest. */
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
