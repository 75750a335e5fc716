import { loadLetters } from '../lettering/text-figures.ts'
import { encode, symbolText } from '../symbol/encode.ts'
import type { Design } from '../symbol/look.ts'
import type { Decoders } from './legibility.ts'
import { compareColours } from './light.ts'
import { draw, placeOf } from './pixels.ts'

/**
 * Whether a scanner reads a design's own text in a picture of about so many pixels, such as those of
 * its label in print.
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
  const least = placeOf(matrix, design).width
  const picture = draw(matrix, design, Math.max(least, Math.round(size)))
  return (await zxing(picture, { tryInvert: inverted })) === symbolText(design.text, design.compact)
}
