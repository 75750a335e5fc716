import type { Colours, Look } from '#qr/symbol/look.ts'

/*
 * Values only, as in plans.ts: the dashboard and the landing page use these and do not load Zod.
 */

/** The formats in the ZIP. */
export const imageFormats = ['png', 'svg', 'jpg'] as const
/** All formats that can be downloaded: PDF is a file of its own, for print. */
export const pictureFormats = [...imageFormats, 'pdf'] as const
export type PictureFormat = (typeof pictureFormats)[number]

/** Picture edge in pixels. Below 64 no symbol has a pixel for each of its modules. */
export const IMAGE_SIZE = { min: 64, default: 1024, max: 4096 } as const

/** Edge in print in millimetres, quiet zone included. Below 10 no short link can be scanned. */
export const PRINT_SIZE = { min: 10, default: 50, max: 2000 } as const

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
export type ColourPreset = (typeof colourPresets)[number]

/** The preset that has these two colours, in whichever case they were typed. */
export function presetOf(colours: Colours): ColourPreset | undefined {
  const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
  return colourPresets.find(
    ({ foreground, background }) =>
      same(foreground, colours.foreground) && same(background, colours.background),
  )
}

/** The fields of a code and of the editor's form that say how it looks. */
export interface LookFields extends Omit<Look, keyof Colours> {
  readonly foregroundColor: string
  readonly backgroundColor: string
}

/** The look in the fields of a code or of the form. */
export function lookOf(code: LookFields): Look {
  const { style, foregroundColor, backgroundColor, ecc, compact } = code
  return { style, foreground: foregroundColor, background: backgroundColor, ecc, compact }
}

/** A look as the fields of a code or of the form. */
export function fieldsOf({ style, foreground, background, ecc, compact }: Look): LookFields {
  return { style, foregroundColor: foreground, backgroundColor: background, ecc, compact }
}
