import type { Artwork } from '#qr/artwork/artwork.ts'
import type { Colours, Look } from '#qr/symbol/look.ts'

/*
 * Values only, as in plans.ts: the dashboard and the landing page use these and do not load Zod.
 */

/** The formats in the ZIP. */
export const imageFormats = ['png', 'svg', 'jpg'] as const
/** All formats that can be downloaded: PDF and EPS are files of their own, for print. */
export const pictureFormats = [...imageFormats, 'pdf', 'eps', 'webp'] as const
export type PictureFormat = (typeof pictureFormats)[number]

/** Formats whose size is that of the print, and whose colours can be those of a press. */
export const isForPress = (format: PictureFormat) => format === 'pdf' || format === 'eps'

/** Picture edge in pixels. Below 64 no symbol has a pixel for each of its modules. */
export const IMAGE_SIZE = { min: 64, default: 1024, max: 4096 } as const

/** Edge in print in millimetres, quiet zone included. Below 10 no short link can be scanned. */
export const PRINT_SIZE = { min: 10, default: 50, max: 2000 } as const

/** The eight presets of the editor, in the specification's order, with their colours in words. */
export const colourPresets = [
  { name: 'Classic', foreground: '#000000', background: '#FFFFFF', words: 'black on white' },
  { name: 'Ocean', foreground: '#1e40af', background: '#f0f9ff', words: 'deep blue on pale blue' },
  {
    name: 'Forest',
    foreground: '#166534',
    background: '#f0fdf4',
    words: 'deep green on pale green',
  },
  { name: 'Sunset', foreground: '#dc2626', background: '#fef2f2', words: 'red on pale pink' },
  { name: 'Purple', foreground: '#7c3aed', background: '#faf5ff', words: 'violet on pale lilac' },
  { name: 'Gold', foreground: '#d97706', background: '#fffbeb', words: 'amber on cream' },
  { name: 'Dark', foreground: '#FFFFFF', background: '#111827', words: 'white on near black' },
  { name: 'Rose', foreground: '#e11d48', background: '#fff1f2', words: 'crimson on pale rose' },
] as const
export type ColourPreset = (typeof colourPresets)[number]

/** The name of a preset for a user who does not see its colours. */
export const spokenPreset = ({ name, words }: ColourPreset) => `${name}, ${words}`

/** The preset that has these two colours, in whichever case they were typed. */
export function presetOf(colours: Colours): ColourPreset | undefined {
  const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
  return colourPresets.find(
    ({ foreground, background }) =>
      same(foreground, colours.foreground) && same(background, colours.background),
  )
}

/** The fields of a code and of the editor's form that say how it looks. */
export interface LookFields extends Omit<Look, keyof Colours | 'artwork' | 'logo'> {
  readonly artwork: Artwork | null
  readonly foregroundColor: string
  readonly backgroundColor: string
}

/** The look in the fields of a code or of the form. */
export function lookOf(code: LookFields): Look {
  const { style, foregroundColor, backgroundColor, ecc, compact, artwork } = code
  return { style, foreground: foregroundColor, background: backgroundColor, ecc, compact, artwork }
}

/** A look as the fields of a code or of the form. */
export function fieldsOf(look: Look): LookFields {
  const { style, foreground, background, ecc, compact, artwork = null } = look
  return { style, foregroundColor: foreground, backgroundColor: background, ecc, compact, artwork }
}
