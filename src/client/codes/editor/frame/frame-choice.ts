import type { FrameChoice, FrameShape } from '#qr/artwork/artwork.ts'
import { frameTextSize, TextTooWide } from '#qr/artwork/frame-text.ts'
import { UnknownLetter } from '#qr/lettering/letters.ts'

type Colours = { foregroundColor: string; backgroundColor: string }

/** A frame that is filled has its text in the background's colour; a line leaves it on the background. */
const coloursOf = (shape: FrameShape, { foregroundColor, backgroundColor }: Colours) => ({
  color: foregroundColor,
  textColor: shape === 'line' ? foregroundColor : backgroundColor,
})

const FIRST_TEXT = 'Scan me'

/** A frame of a shape: text, size and colours stay as somebody chose them. */
export function withFrameShape(
  frame: FrameChoice | null,
  shape: FrameShape,
  colours: Colours,
): FrameChoice {
  const fresh = coloursOf(shape, colours)
  if (!frame) return { shape, text: FIRST_TEXT, size: 'medium', ...fresh }
  const former = coloursOf(frame.shape, colours)
  const isOwn = frame.color !== former.color || frame.textColor !== former.textColor
  return isOwn ? { ...frame, shape } : { ...frame, shape, ...fresh }
}

/** What is wrong with a frame's text, in the words of its field; null where nothing is. */
export function frameTextProblem(text: string): string | null {
  try {
    frameTextSize({ text: text.trim(), size: 'small' })
    return null
  } catch (error) {
    if (error instanceof TextTooWide) return 'This text is too wide for a frame. Use fewer letters.'
    if (!(error instanceof UnknownLetter)) throw error
    return `“${error.letter}” cannot be drawn here. Latin, Greek and Cyrillic letters, numbers and punctuation can.`
  }
}
