/*
 * Values only, as in plans.ts: the dashboard shows its list with these and need not carry Zod for it,
 * which comes with the form.
 */

export const styles = ['classic', 'rounded'] as const

/** What the ZIP holds. */
export const imageFormats = ['png', 'svg', 'jpg'] as const
/** All that can be downloaded: PDF is a file of its own, for print. */
export const pictureFormats = [...imageFormats, 'pdf'] as const

/** Picture edge in pixels. Below 64 no symbol has a pixel for each of its modules. */
export const IMAGE_SIZE = { min: 64, default: 1024, max: 4096 } as const

/** Edge in print in millimetres, quiet zone included. Below 10 no short link can be scanned. */
export const PRINT_SIZE = { min: 10, default: 50, max: 2000 } as const

/** Error correction: about 7, 15, 25 and 30 % of a symbol can be lost (ISO/IEC 18004:2024 §7.5.1). */
export const eccLevels = ['L', 'M', 'Q', 'H'] as const
export const DEFAULT_ECC = 'M' as const

/** A colour: # and 3 or 6 hexadecimal digits. */
export const HEX_COLOUR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i
export const DEFAULT_FOREGROUND = '#000000'
export const DEFAULT_BACKGROUND = '#FFFFFF'

/** The eight presets of the editor, in the specification's order. */
export const colourPresets = [
  { name: 'Classic', foreground: '#000000', background: '#FFFFFF' },
  { name: 'Ocean', foreground: '#1e40af', background: '#f0f9ff' },
  { name: 'Forest', foreground: '#166534', background: '#f0fdf4' },
  { name: 'Sunset', foreground: '#dc2626', background: '#fef2f2' },
  { name: 'Purple', foreground: '#7c3aed', background: '#faf5ff' },
  { name: 'Gold', foreground: '#d97706', background: '#fffbeb' },
  { name: 'Dark', foreground: '#FFFFFF', background: '#111827' },
  { name: 'Rose', foreground: '#e11d48', background: '#fff1f2' },
] as const

export const NAME_MAX = 200
export const URL_MAX = 2048
export const VANITY_MIN = 3
export const VANITY_MAX = 50

/** How long a deleted code lies in the bin, from where it can be restored. */
export const BIN_DAYS = 30

export const PAGE_SIZE = 25
/** Most codes one answer carries. */
export const LIST_MAX = 10_000

export const codeStatuses = ['active', 'inactive', 'expired'] as const
export type CodeStatus = (typeof codeStatuses)[number]

/** Inactive when paused; Expired when active and past its end; otherwise Active. */
export function statusOf(
  code: { isActive: boolean; expiresAt: string | null },
  now: Date,
): CodeStatus {
  if (!code.isActive) return 'inactive'
  return code.expiresAt && now > new Date(code.expiresAt) ? 'expired' : 'active'
}
