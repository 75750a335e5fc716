import letterData from './letter-widths.json' with { type: 'json' }

/* Which letters a frame's text can have, and how wide they are. It is light: the outlines are apart. */

/** A character that no outline of ours has. */
export class UnknownLetter extends RangeError {
  override name = 'UnknownLetter'
  readonly letter: string

  constructor(letter: string) {
    super(`We can’t draw the character ‘${letter}’ in a frame.`)
    this.letter = letter
  }
}

/** Height of capitals, as a share of the size */
export const CAP_HEIGHT = letterData.capHeight

let known: Map<string, number> | undefined

/**
 * Widths of letters in thousandths of their size. A line of the data has the code point of a letter, and
 * its width and those of the letters after it.
 */
function letterWidths(): Map<string, number> {
  known ??= new Map(
    letterData.widths.flatMap((run) => {
      const [first, ...advances] = run.split(' ')
      const start = Number.parseInt(first as string, 16)
      return advances.map((width, index): [string, number] => [
        String.fromCodePoint(start + index),
        Number(width),
      ])
    }),
  )
  return known
}

/** The letters of a text, accents with the letters that they belong to. */
export const lettersOf = (text: string): string[] => [...text.normalize('NFC')]

/** How far the next letter is, in sizes. @throws UnknownLetter */
export function advanceOf(letter: string): number {
  const width = letterWidths().get(letter)
  if (width === undefined) throw new UnknownLetter(letter)
  return width / 1000
}

/** How wide a text of size 1 is. @throws UnknownLetter */
export function widthOfText(text: string): number {
  return lettersOf(text).reduce((sum, letter) => sum + advanceOf(letter), 0)
}
