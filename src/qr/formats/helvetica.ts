/*
 * The two fonts that every PDF program has without a file of them (ISO 32000-1 §9.6.2.2), with the
 * letters of western European languages (WinAnsiEncoding, Annex D.2). Widths are those of Adobe's font
 * metrics, in thousandths of the size.
 */

export type Font = 'regular' | 'bold'

export const baseFonts: Record<Font, string> = { regular: 'Helvetica', bold: 'Helvetica-Bold' }

/** Height of capitals, as a share of the size */
export const CAP_HEIGHT = 0.718

/** The characters of the codes from 128 on that are not those of Latin-1. Five codes have none. */
const FROM_128 = '€\u0000‚ƒ„…†‡ˆ‰Š‹Œ\u0000Ž\u0000\u0000‘’“”•–—˜™š›œ\u0000žŸ'

const codes = new Map<string, number>()
for (let code = 32; code < 127; code++) codes.set(String.fromCharCode(code), code)
for (let code = 161; code < 256; code++) codes.set(String.fromCharCode(code), code)
;[...FROM_128].forEach((character, index) => {
  if (character !== '\u0000') codes.set(character, 128 + index)
})
codes.set('\u00a0', 32)
// A soft hyphen is not to be seen.
codes.delete('\u00ad')

const UPPER_TO_BACKTICK = {
  regular:
    '1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333',
  bold: '975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 667 667 611 333 278 333 584 556 333',
}
const ASCII: Record<Font, string> = {
  regular: `278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 ${'556 '.repeat(10)}278 278 584 584 584 556 ${UPPER_TO_BACKTICK.regular} 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584`,
  bold: `278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 ${'556 '.repeat(10)}333 333 584 584 584 611 ${UPPER_TO_BACKTICK.bold} 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 333 611 556 778 556 556 500 389 280 389 584`,
}
/** From 128 on, with 0 for codes without a character. */
const HIGH: Record<Font, string> = {
  regular:
    '556 0 222 556 333 1000 556 556 333 1000 667 333 1000 0 611 0 0 222 222 333 333 350 556 1000 333 1000 500 333 944 0 500 667 278 333 556 556 556 556 260 556 333 737 370 556 584 333 737 333 400 584 333 333 333 556 537 278 333 333 365 556 834 834 834 611 667 667 667 667 667 667 1000 722 667 667 667 667 278 278 278 278 722 722 778 778 778 778 778 584 778 722 722 722 722 667 667 611 556 556 556 556 556 556 889 500 556 556 556 556 278 278 278 278 556 556 556 556 556 556 556 584 611 556 556 556 556 500 556 500',
  bold: '556 0 278 556 500 1000 556 556 333 1000 667 333 1000 0 611 0 0 278 278 500 500 350 556 1000 333 1000 556 333 944 0 500 667 278 333 556 556 556 556 280 556 333 737 370 556 584 333 737 333 400 584 333 333 333 611 556 278 333 333 365 556 834 834 834 611 722 722 722 722 722 722 1000 722 667 667 667 667 278 278 278 278 722 722 778 778 778 778 778 584 778 722 722 722 722 667 667 611 556 556 556 556 556 556 889 556 556 556 556 556 278 278 278 278 611 611 611 611 611 611 611 584 611 611 611 611 611 556 611 556',
}

const tableOf = (font: Font) => {
  const [low, high] = [ASCII[font], HIGH[font]].map((list) => list.split(' ').map(Number))
  return [...(low ?? []), 0, ...(high ?? [])]
}
const widths: Record<Font, readonly number[]> = {
  regular: tableOf('regular'),
  bold: tableOf('bold'),
}

/** The text as a byte a character; null if the fonts lack a character. */
export function encoded(text: string): Uint8Array | null {
  const found = [...text.normalize('NFC')].map((character) => codes.get(character))
  return found.every((code) => code !== undefined) ? Uint8Array.from(found) : null
}

/** Whether the fonts have all its letters. */
export const isWritable = (text: string) => encoded(text) !== null

/** How wide a text is at size 1. */
export function widthOf(bytes: Uint8Array, font: Font): number {
  return bytes.reduce((sum, byte) => sum + (widths[font][byte - 32] ?? 0), 0) / 1000
}

const ELLIPSIS = 133

/**
 * A text that fits: at `size`, or smaller down to `least`; below that it is cut, and an ellipsis says so.
 * Widths and sizes are in one unit.
 */
export function fitted(
  bytes: Uint8Array,
  font: Font,
  { width, size, least }: { width: number; size: number; least: number },
): { bytes: Uint8Array; size: number } {
  const wanted = Math.min(size, width / widthOf(bytes, font))
  if (wanted >= least) return { bytes, size: wanted }
  let kept = bytes
  const cut = () => Uint8Array.of(...kept, ELLIPSIS)
  while (kept.length > 0 && widthOf(cut(), font) * least > width) kept = kept.subarray(0, -1)
  return { bytes: cut(), size: least }
}

/** A link in one line, or in two after its last slash if the narrowest line is too wide. Widths as in `fitted`. */
export function linkLines(link: string, { width, least }: { width: number; least: number }) {
  const narrowest = widthOf(encoded(link) ?? new Uint8Array(), 'regular') * least
  const cut = link.lastIndexOf('/') + 1
  return narrowest <= width ? [link] : [link.slice(0, cut), link.slice(cut)]
}

/** A name in one line of its full size, or in two, broken where the longer of them is shortest. */
export function nameLines(name: string, { width, size }: { width: number; size: number }) {
  const lengthOf = (text: string) => widthOf(encoded(text) ?? new Uint8Array(), 'bold') * size
  if (lengthOf(name) <= width) return [name]
  const words = name.split(' ')
  const longest = (lines: readonly string[]) => Math.max(...lines.map(lengthOf))
  return words
    .slice(1)
    .map((_, index) => [words.slice(0, index + 1).join(' '), words.slice(index + 1).join(' ')])
    .reduce((best, lines) => (longest(lines) < longest(best) ? lines : best), [name])
}
