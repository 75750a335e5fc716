import { formatCount } from '../../../../formats.ts'
import { short } from '../../../chart/drawing.ts'
import { SHADES } from '../../figures.ts'

/** A drawing of a picture: it goes from 0 to `WIDTH` and from 0 to `height`. */
export type Body = { height: number; drawing: string }

/** The width of a drawing, without the margins. */
export const WIDTH = 896

/*
 * Texts in a picture that is a file. They are a user's words, so they are escaped. A file cannot measure
 * them where it is opened, so their width is reckoned from Arial's, generously.
 */

/** Characters that XML 1.0 cannot hold, even escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these very ones
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export const escapeXml = (text: string) =>
  text
    .toWellFormed()
    .replace(FORBIDDEN, '')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')

const NARROW = /[ijl.,:;'’|!()[\]{} tfIr\-/]/
const WIDE = /[A-HJ-Zmw@%&…–—]/
/** Without a width of its own: it stands on the letter before. */
const MARK = /[\p{M}\p{Cf}]/u

/** In parts of the letters' size. */
function widthOf(character: string): number {
  if (MARK.test(character)) return 0
  if (NARROW.test(character)) return 0.36
  if (WIDE.test(character)) return 0.82
  // Scripts of the East, and pictures.
  return (character.codePointAt(0) ?? 0) < 0x1100 ? 0.58 : 1.05
}

export const textWidth = (text: string, size: number) =>
  size * Array.from(text).reduce((sum, character) => sum + widthOf(character), 0)

/** As much of a text as has room; the rest is an ellipsis. */
export function fitted(text: string, size: number, room: number): string {
  if (textWidth(text, size) <= room) return text
  let kept = ''
  for (const character of text) {
    if (textWidth(`${kept}${character}…`, size) > room) break
    kept += character
  }
  return `${kept.trimEnd()}…`
}

/** A text in lines of at most this width; the last of `most` lines ends with what has room. */
export function wrapped(text: string, size: number, room: number, most: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1)
    const longer = `${last} ${word}`
    if (last === undefined) lines.push(word)
    else if (lines.length === most || textWidth(longer, size) <= room) lines.splice(-1, 1, longer)
    else lines.push(word)
  }
  return lines.map((each) => fitted(each, size, room))
}

type TextLook = { size: number; fill: string; bold?: boolean; anchor?: 'middle' | 'end' }

/** A text at a place: `y` is its base line. */
export function textAt(x: number, y: number, text: string, look: TextLook): string {
  const { size, fill, bold, anchor } = look
  const more = `${bold ? ' font-weight="700"' : ''}${anchor ? ` text-anchor="${anchor}"` : ''}`
  const place = `x="${short(x)}" y="${short(y)}"`
  return `<text ${place} font-size="${size}" fill="${fill}"${more}>${escapeXml(text)}</text>`
}

/* The light theme's colours (ui/theme/brand.css): a file has no theme, and its paper is white. */

export const TEXT = '#2a2520'
export const QUIET = '#665d51'
export const LINE = '#e3ddd3'
export const EDGE = '#c4bbad'
export const TINT = '#f4f1ec'
export const BEFORE = '#b0622f'
export const PAPER = '#ffffff'

const ACCENT = [0x0b, 0x66, 0x55]
const WHITE = 0xff

/** The accent on paper, from 0 to 1. */
const accentOf = (part: number) =>
  `#${ACCENT.map((value) =>
    Math.round(part * value + (1 - part) * WHITE)
      .toString(16)
      .padStart(2, '0'),
  ).join('')}`

export const VISITORS = accentOf(1)
export const SCANS = accentOf(0.45)

/** The same parts as in figures.module.css. */
const parts = [0.16, 0.34, 0.54, 0.76, 1]
const shades = [TINT, ...parts.map(accentOf)]

export const shadeColour = (shade: number) => shades[shade] ?? TINT

const KEY_SIZE = 13
const SWATCH = 14
const GAP = 24

export type Key = { name: string; colour: string; isLine?: boolean }

/** Colours with their names, side by side; 20 high. */
export function keys(all: readonly Key[]): string {
  let x = 0
  return all
    .map(({ name, colour, isLine }) => {
      const swatch = isLine
        ? `<path d="M${x} 10h${2 * SWATCH}" stroke="${colour}" stroke-width="2" stroke-dasharray="5 4"/>`
        : `<rect x="${x}" y="3" width="${SWATCH}" height="${SWATCH}" rx="3" fill="${colour}"/>`
      const left = x + (isLine ? 2 * SWATCH : SWATCH) + 8
      x = left + Math.ceil(textWidth(name, KEY_SIZE)) + GAP
      return swatch + textAt(left, 15, name, { size: KEY_SIZE, fill: QUIET })
    })
    .join('')
}

/** The shades from nothing to the most; 20 high. */
export function shadeKeys(most: number, noun: string): string {
  const of = `${noun}${most === 1 ? '' : 's'}`
  const zero = textAt(0, 15, '0', { size: KEY_SIZE, fill: QUIET })
  const swatches = Array.from({ length: SHADES + 1 }, (_, shade) => {
    const x = 16 + shade * 24
    return `<rect x="${x}" y="3" width="22" height="14" fill="${shadeColour(shade)}" stroke="${EDGE}" stroke-width="0.5"/>`
  })
  const end = 16 + (SHADES + 1) * 24 + 6
  return `${zero}${swatches.join('')}${textAt(end, 15, `${formatCount(most)} ${of}`, { size: KEY_SIZE, fill: QUIET })}`
}
