import { colour, type PictureFormat, type QrCode, type Style } from '#contract/codes.ts'

/** How a code looks. */
export type Look = { style: Style; foreground: string; background: string }

export function lookOf(code: Pick<QrCode, 'style' | 'foregroundColor' | 'backgroundColor'>): Look {
  return {
    style: code.style,
    foreground: code.foregroundColor,
    background: code.backgroundColor,
  }
}

/** A colour that is still being typed cannot be drawn. */
export function isDrawable({ foreground, background }: Look): boolean {
  return colour.safeParse(foreground).success && colour.safeParse(background).success
}

function queryOf({ style, foreground, background }: Look): Record<string, string> {
  return { style, fg: foreground, bg: background }
}

export function imageAddress(
  id: string,
  format: PictureFormat,
  look: Look,
  more: Record<string, string> = {},
): string {
  const query = new URLSearchParams({ format, ...queryOf(look), ...more })
  return `/api/qr-codes/${id}/generate?${query}`
}

/** Without a look the zip holds the code as saved. */
export function zipAddress(id: string, look?: Look): string {
  const address = `/api/qr-codes/${id}/download-zip`
  return look ? `${address}?${new URLSearchParams(queryOf(look))}` : address
}
