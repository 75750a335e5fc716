import { loadLetters } from '../artwork/text-figures.ts'
import { encode } from '../symbol/encode.ts'
import type { Design } from '../symbol/look.ts'
import { symbolText } from '../symbol/look.ts'
import type { Decoders } from './legibility.ts'
import { compareColours } from './light.ts'
import { draw, placeOf } from './pixels.ts'

/**
 * Whether a scanner reads a design's own text in a picture that fits a square of about `size` pixels,
 * such as those of its label in print.
 * @throws NotAColour, TextTooLong as the engine does
 */
export async function readsBack(
  design: Design,
  size: number,
  { zxing }: Pick<Decoders, 'zxing'>,
): Promise<boolean> {
  if (design.artwork?.frame) await loadLetters()
  const matrix = encode(design.text, design)
  const { inverted } = compareColours(design.foreground, design.background)
  const { width, height } = placeOf(matrix, design)
  // A picture that is higher than wide is narrower than the square that it is printed in.
  const wide = (size * width) / Math.max(width, height)
  const picture = draw(matrix, design, Math.max(width, Math.round(wide)))
  return (await zxing(picture, { tryInvert: inverted })) === symbolText(design.text, design.compact)
}
