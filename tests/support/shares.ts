import { parseColour } from '../../src/qr/formats/colour.ts'
import type { Picture } from '../../src/server/pictures/pictures.ts'
import type { Pixels } from './pixels.ts'

type Colours = Pick<Picture, 'foreground' | 'background'>

/** How much of the foreground each pixel shows: 0 where it is background, 1 where it is foreground. */
export function foregroundShares(
  { data }: Pixels,
  { foreground, background }: Colours,
): Float64Array {
  const from = parseColour(background)
  const to = parseColour(foreground)
  const range = [to[0] - from[0], to[1] - from[1], to[2] - from[2]] as const
  const length = range[0] ** 2 + range[1] ** 2 + range[2] ** 2
  const along = (at: number, channel: 0 | 1 | 2) =>
    ((data[at + channel] as number) - from[channel]) * range[channel]
  const shares = new Float64Array(data.length / 3)
  for (let at = 0; at < shares.length; at++) {
    shares[at] = (along(3 * at, 0) + along(3 * at, 1) + along(3 * at, 2)) / length
  }
  return shares
}

/** Widths of the four borders in which no channel is off the background by more than `off`. */
export function emptyBorders({ size, data }: Pixels, background: string, off: number) {
  const [red, green, blue] = parseColour(background)
  let [left, top, right, bottom] = [size, size, -1, -1]
  const differs = (at: number, value: number) => Math.abs((data[at] as number) - value) > off
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const at = 3 * (y * size + x)
      if (!differs(at, red) && !differs(at + 1, green) && !differs(at + 2, blue)) continue
      left = Math.min(left, x)
      right = Math.max(right, x)
      top = Math.min(top, y)
      bottom = y
    }
  }
  return [left, top, size - 1 - right, size - 1 - bottom]
}

/** Where a line of pixels changes between background and foreground, in pixels from its start. */
export function edges(line: ArrayLike<number>): number[] {
  return Array.from(line).flatMap((share, at) => {
    const before = at > 0 ? (line[at - 1] as number) : share
    return share >= 0.5 === before >= 0.5 ? [] : [at]
  })
}
