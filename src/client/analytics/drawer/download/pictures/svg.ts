import { short } from '../../../chart/drawing.ts'

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
