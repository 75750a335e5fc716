import { checkLegibility } from '#qr/scan-check/legibility.ts'
import type { Legibility } from '#qr/scan-check/verdict.ts'
import type { Design } from '#qr/symbol/look.ts'
import { loadDecoders } from './decoders.ts'
import { drawPicture } from './pictures.ts'

/** A look, and the edge in pixels of the files that are decoded as they are downloaded. */
export type Check = { look: Design; size: number }

/** How well a look's pictures can be scanned. @throws NotAColour, TextTooLong, PictureTooSmall */
export async function checkLook({ look, size }: Check): Promise<Legibility> {
  const deliver = async (format: 'png' | 'jpg') =>
    (await drawPicture({ ...look, format, size })).bytes
  return checkLegibility(look, { ...(await loadDecoders()), deliver })
}
