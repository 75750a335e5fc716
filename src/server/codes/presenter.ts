import type { Ecc, QrCode, Style } from '#contract/codes.ts'
import type { CodeRow } from './codes-store.ts'

const iso = (instant: number) => new Date(instant).toISOString()

/** A row as every call answers it. */
export function presentCode(row: CodeRow): QrCode {
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
    shortCode: row.short_code,
    isActive: row.paused_at === null,
    expiresAt: row.expires_at === null ? null : iso(row.expires_at),
    createdAt: iso(row.created_at),
  }
}

/** The link that a code's picture encodes. */
export function linkOf(row: Pick<CodeRow, 'vanity_url' | 'short_code'>, publicUrl: string): string {
  return `${publicUrl}/qr/${row.vanity_url ?? row.short_code}`
}
