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

/** Characters of the alphanumeric mode (ISO/IEC 18004:2024 §7.3.4). */
const ALPHANUMERIC = /^[0-9A-Z $%*+\-./:]*$/

/**
 * The text of the symbol. Compact, that is a link in capitals, which take 5.5 bits a character
 * instead of 8 and so make a smaller symbol. A link with a character that the alphanumeric mode does
 * not have (an underscore) stays as it is: capitals would gain nothing. Scheme and host are the same
 * in either case (RFC 3986 §6.2.2.1); the path must be one that the server looks up so.
 */
export function symbolText(text: string, compact: boolean): string {
  const capitals = text.toUpperCase()
  // A path with capitals may be another one in capitals.
  const isSmall = text === text.toLowerCase()
  return compact && isSmall && ALPHANUMERIC.test(capitals) ? capitals : text
}

/** The text is not # and 3 or 6 hexadecimal digits. */
export class NotAColour extends RangeError {
  override name = 'NotAColour'
}

/**
 * The one spelling of a color: # and six lower-case digits, so `#FA0` becomes `#ffaa00`. The result
 * is safe inside markup.
 *
 * @throws NotAColour for anything but #rgb and #rrggbb
 */
export function normalColour(text: string): string {
  if (!HEX_COLOUR.test(text)) {
    throw new NotAColour(`${JSON.stringify(text)} isn’t a hex color like #1e40af.`)
  }
  const digits = text.slice(1).toLowerCase()
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`
}

/** How a style rounds the outline of adjacent modules; radii in modules, 0 to 0.5. */
export interface Rounding {
  /** The radius of convex corners. 0.5 makes a single module a dot and the end of a line a half circle. */
  readonly outer: number
  /** The radius of concave corners. outer + inner may not exceed 1, the shortest edge between corners. */
  readonly inner: number
}

export const rounding: Record<Style, Rounding> = {
  classic: { outer: 0, inner: 0 },
  rounded: { outer: 0.5, inner: 0.375 },
}

/**
 * A rounded finder pattern from outside in: dark, light, dark. Squares of 7, 5 and 3 modules share one
 * center, so that every line through it still reads 1:1:3:1:1 (ISO/IEC 18004:2024 §5.3.3). A radius is
 * at most 1 module: OpenCV's detector measures a symbol by the outer corners and misreads rounder ones.
 */
export const finderSquares = [
  { edge: 7, radius: 1, dark: true },
  { edge: 5, radius: 1, dark: false },
  { edge: 3, radius: 1, dark: true },
] as const
