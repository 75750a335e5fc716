import type { PictureFormat } from '#contract/pictures/pictures.ts'
import type { Look } from '#qr/symbol/look.ts'

function queryOf(look: Look): Record<string, string> {
  const { style, foreground, background, ecc, compact, artwork } = look
  return {
    ...{ style, fg: foreground, bg: background, ecc, compact: String(compact) },
    artwork: artwork ? JSON.stringify(artwork) : 'none',
  }
}

type More = Record<string, string>

export function imageAddress(id: string, format: PictureFormat, look: Look, more: More = {}) {
  const query = new URLSearchParams({ format, ...queryOf(look), ...more })
  return `/api/qr-codes/${id}/generate?${query}`
}

/** Without a look, the zip holds the saved one. */
export function zipAddress(id: string, look?: Look, more: More = {}): string {
  const address = `/api/qr-codes/${id}/download-zip`
  return look ? `${address}?${new URLSearchParams({ ...queryOf(look), ...more })}` : address
}

/** The address of a look's scan check. */
export function legibilityAddress(id: string, look: Look): string {
  return `/api/qr-codes/${id}/legibility?${new URLSearchParams(queryOf(look))}`
}
