import type { Ecc, LookQuery, Style } from '#contract/codes.ts'
import { compactLink } from '#qr/symbol/compact.ts'
import type { Look } from '../pictures/looks.ts'
import type { CodeRow } from './codes-store.ts'

/** The link that a code's picture encodes. */
function linkOf(row: Pick<CodeRow, 'vanity_url' | 'short_code'>, publicUrl: string): string {
  return `${publicUrl}/qr/${row.vanity_url ?? row.short_code}`
}

/** The look that a code is saved with. */
export function savedLook(row: CodeRow, publicUrl: string): Look {
  return lookOf(row, {}, publicUrl)
}

/** What to draw: what the query says, and the saved look for the rest. */
export function lookOf(row: CodeRow, query: LookQuery, publicUrl: string): Look {
  const link = linkOf(row, publicUrl)
  return {
    text: (query.compact ?? row.compact === 1) ? compactLink(link) : link,
    ecc: query.ecc ?? (row.ecc as Ecc),
    style: query.style ?? (row.style as Style),
    foreground: query.fg ?? row.foreground_color,
    background: query.bg ?? row.background_color,
  }
}
