import type { FrameChoice } from './artwork.ts'
import { UnknownLetter, widthOfText } from './letters.ts'

/* How large a frame's text is. Sizes are shares of the quiet zone's edge, so that one text fits any symbol. */

const sizes: Record<FrameChoice['size'], number> = { small: 0.085, medium: 0.115, large: 0.15 }

/** The longest that a line can be; every frame is wider. */
const LINE = 0.84
/** Letters of five points where the code is 50 mm wide: smaller ones are not read on a print. */
const LEAST = 0.034

/** A frame's text that is too long, even in the smallest letters. */
export class TextTooWide extends RangeError {
  override name = 'TextTooWide'

  constructor(text: string) {
    super(`‘${text}’ is too wide for the frame. Use fewer letters.`)
  }
}

/**
 * The size of a text's letters: as wanted, or as large as they fit on the line.
 *
 * @throws UnknownLetter, TextTooWide
 */
export function frameTextSize({ text, size }: Pick<FrameChoice, 'text' | 'size'>): number {
  const width = widthOfText(text)
  if (width * LEAST > LINE) throw new TextTooWide(text)
  return Math.min(sizes[size], width > 0 ? LINE / width : sizes[size])
}

/** Why a text can't be drawn in a frame; null if it can. */
export function frameTextFault(text: string): string | null {
  try {
    frameTextSize({ text, size: 'small' })
    return null
  } catch (error) {
    if (error instanceof UnknownLetter || error instanceof TextTooWide) return error.message
    throw error
  }
}
