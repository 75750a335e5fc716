import type { Ecc, QrCode, Style } from '#contract/codes.ts'
import type { Verdict } from '#contract/legibility.ts'
import type { CodeRow } from './codes-store.ts'
import { pictureVersion, savedLook } from './looks.ts'

const iso = (instant: number) => new Date(instant).toISOString()

/** A row as every call answers it. */
export function presentCode(row: CodeRow, publicUrl: string): QrCode {
  const version = pictureVersion(savedLook(row, publicUrl))
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
    pictureVersion: version,
    legibility: isVerdictOn(version, row) ? (row.legibility as Verdict) : null,
    shortCode: row.short_code,
    isActive: row.paused_at === null,
    expiresAt: row.expires_at === null ? null : iso(row.expires_at),
    createdAt: iso(row.created_at),
  }
}

/** Whoever moves the server to another host gets other links, and so other pictures, than were checked. */
function isVerdictOn(version: string, { legibility_of }: CodeRow): boolean {
  return legibility_of?.endsWith(`.${version}`) ?? false
}
