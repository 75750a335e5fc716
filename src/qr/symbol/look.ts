import type { Artwork, LogoPicture } from '../artwork/artwork.ts'

/** classic: square modules. rounded: modules flow into their neighbors, eyes are soft squares. */
export const styles = ['classic', 'rounded'] as const
export type Style = (typeof styles)[number]

/**
 * Error correction levels: about 7, 15, 25 and 30 % of the codewords can be lost
 * (ISO/IEC 18004:2024 §7.5.1).
 */
export const eccLevels = ['L', 'M', 'Q', 'H'] as const
export type Ecc = (typeof eccLevels)[number]

/** A color: # and 3 or 6 hexadecimal digits. */
export const HEX_COLOUR = /^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/

/** The two colors of a picture, #rgb or #rrggbb; the background covers the quiet zone too. */
export interface Colours {
  readonly foreground: string
  readonly background: string
}

/** How a symbol is drawn. */
export interface Appearance extends Colours {
  readonly style: Style
  /** Additions to style and colors; null or absent for most codes */
  readonly artwork?: Artwork | null | undefined
  /** The picture of the artwork's logo */
  readonly logo?: LogoPicture | undefined
}

/** How a code looks, whatever it says: all that its owner chooses. */
export interface Look extends Appearance {
  readonly ecc: Ecc
  /** The link is drawn in capitals if that makes the symbol smaller: see `symbolText` */
  readonly compact: boolean
}

/** A code's text with its look. */
export interface Design extends Look {
  readonly text: string
}

export const DEFAULT_LOOK: Look = {
  style: 'classic',
  foreground: '#000000',
  background: '#FFFFFF',
  ecc: 'M',
  compact: false,
}
