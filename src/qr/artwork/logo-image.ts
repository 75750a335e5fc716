import type { Deflate } from '../formats/bytes.ts'
import { deviceSpaces, type InkSpace, inksOf } from '../formats/colour.ts'
import type { PdfFile } from '../formats/pdf-syntax.ts'
import type { Pixels } from '../formats/pixels.ts'

/** A logo as PDF has it: its colors and how opaque each pixel is, both deflated. */
export interface LogoImage {
  readonly width: number
  readonly height: number
  readonly space: InkSpace
  readonly colours: Uint8Array
  readonly alphas: Uint8Array
}

export async function logoImage(
  pixels: Pixels,
  space: InkSpace,
  deflate: Deflate,
): Promise<LogoImage> {
  const { width, height, data } = pixels
  const alphas = Uint8Array.from({ length: width * height }, (_, at) => data[4 * at + 3] as number)
  const colours = await deflate(inkBytes(pixels, space))
  return { width, height, space, colours, alphas: await deflate(alphas) }
}

/** The colors of a picture's pixels, a byte a channel. */
export function inkBytes({ width, height, data }: Pixels, space: InkSpace): Uint8Array {
  const channels = space === 'rgb' ? 3 : 4
  const bytes = new Uint8Array(channels * width * height)
  for (let pixel = 0; pixel < width * height; pixel++) {
    const rgb = data.subarray(4 * pixel, 4 * pixel + 3)
    if (space === 'rgb') bytes.set(rgb, 3 * pixel)
    else {
      const inks = inksOf(...(rgb as unknown as [number, number, number]))
      for (let ink = 0; ink < 4; ink++) {
        bytes[4 * pixel + ink] = Math.round(255 * (inks[ink] as number))
      }
    }
  }
  return bytes
}

/** ISO 32000-1 §8.9.5 and §11.6.5.3 */
export function logoObjects(file: PdfFile, at: number, image: LogoImage): Uint8Array[] {
  const { width, height, space, colours, alphas } = image
  const mask = file.reserve()
  const common = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent 8`
  return [
    ...file.stream(at, `${common}/ColorSpace/${deviceSpaces[space]}/SMask ${mask} 0 R`, colours),
    ...file.stream(mask, `${common}/ColorSpace/DeviceGray`, alphas),
  ]
}

/**
 * From the unit square that PDF and PostScript draw a picture in (ISO 32000-1 §8.9.5), its first row
 * uppermost, to the middle of its box: as large as it fits.
 */
export function logoMatrix(
  box: { x: number; y: number; width: number; height: number },
  logo: { width: number; height: number },
): number[] {
  const scale = Math.min(box.width / logo.width, box.height / logo.height)
  const [width, height] = [scale * logo.width, scale * logo.height]
  return [width, 0, 0, -height, box.x + (box.width - width) / 2, box.y + (box.height + height) / 2]
}
