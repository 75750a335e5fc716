import sharp from 'sharp'

/** A square picture as it is shown: red, green and blue of each pixel, row by row. */
export interface Pixels {
  readonly size: number
  readonly data: Uint8Array
}

/** A PNG or JPEG as it is; an SVG as librsvg draws it at its own size. */
export async function pixelsOf(file: Uint8Array): Promise<Pixels> {
  const { data, info } = await sharp(file)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  if (info.width !== info.height) throw new Error(`${info.width} × ${info.height} is no square`)
  if (info.channels !== 3) throw new Error(`${info.channels} channels instead of 3`)
  return { size: info.width, data }
}

/** For decoders and for looking at. */
export function asPng({ size, data }: Pixels): Promise<Buffer> {
  return sharp(data, { raw: { width: size, height: size, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer()
}

/** The most that any channel of any pixel differs by between two pictures of one size. */
export function furthest(one: Pixels, other: Pixels): number {
  if (one.size !== other.size) throw new Error(`${one.size} pixels beside ${other.size}`)
  let most = 0
  for (let at = 0; at < one.data.length; at++) {
    most = Math.max(most, Math.abs((one.data[at] as number) - (other.data[at] as number)))
  }
  return most
}

/** Each colour once, as its three values. */
export function coloursOf({ data }: Pixels): string[] {
  const colours = new Set<number>()
  for (let at = 0; at < data.length; at += 3) {
    colours.add(
      ((data[at] as number) << 16) | ((data[at + 1] as number) << 8) | (data[at + 2] as number),
    )
  }
  return [...colours].map((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255].join())
}

/** Returns the average difference between the channels of two pictures. */
export function meanDifference(one: Pixels, other: Pixels): number {
  const sum = one.data.reduce((total, value, at) => {
    return total + Math.abs(value - (other.data[at] as number))
  }, 0)
  return sum / one.data.length
}

/** Any picture as decoders take it, on white where it is transparent. */
export async function rgbaOf(file: Uint8Array) {
  const { data, info } = await sharp(file)
    .flatten({ background: '#ffffff' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data: new Uint8ClampedArray(data) }
}
