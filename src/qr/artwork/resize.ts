import type { Pixels } from '../formats/pixels.ts'

/**
 * A picture at another size. A pixel of the result is the mean of those that it covers, or lies between
 * its four neighbours where it is enlarged; transparent pixels lend no colour to others.
 */
export function resize(from: Pixels, width: number, height: number): Pixels {
  if (from.width === width && from.height === height) return from
  const across = weights(from.width, width)
  const down = weights(from.height, height)
  const lines = new Float32Array(4 * width * from.height)
  for (let y = 0; y < from.height; y++) {
    for (let x = 0; x < width; x++) {
      const to = 4 * (y * width + x)
      for (const { at, share } of across[x] as Weight[]) {
        const source = 4 * (y * from.width + at)
        const alpha = (share * (from.data[source + 3] as number)) / 255
        for (let channel = 0; channel < 3; channel++) {
          lines[to + channel] =
            (lines[to + channel] as number) + alpha * (from.data[source + channel] as number)
        }
        lines[to + 3] = (lines[to + 3] as number) + alpha
      }
    }
  }
  const data = new Uint8ClampedArray(4 * width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const sums = [0, 0, 0, 0]
      for (const { at, share } of down[y] as Weight[]) {
        const source = 4 * (at * width + x)
        for (let channel = 0; channel < 4; channel++) {
          sums[channel] = (sums[channel] as number) + share * (lines[source + channel] as number)
        }
      }
      const alpha = sums[3] as number
      if (alpha === 0) continue
      const to = 4 * (y * width + x)
      for (let channel = 0; channel < 3; channel++) {
        data[to + channel] = (sums[channel] as number) / alpha
      }
      data[to + 3] = 255 * alpha
    }
  }
  return { width, height, data }
}

type Weight = { readonly at: number; readonly share: number }

/** For each pixel of the result, which pixels of the source it is made of; the shares add up to 1. */
function weights(from: number, to: number): Weight[][] {
  const scale = from / to
  return Array.from({ length: to }, (_, index) => {
    if (scale <= 1) return between((index + 0.5) * scale - 0.5, from)
    const [start, end] = [index * scale, Math.min(from, (index + 1) * scale)]
    const all: Weight[] = []
    for (let at = Math.floor(start); at < end; at++) {
      all.push({ at, share: (Math.min(end, at + 1) - Math.max(start, at)) / (end - start) })
    }
    return all
  })
}

function between(place: number, size: number): Weight[] {
  const first = Math.floor(place)
  const share = place - first
  const within = (at: number) => Math.max(0, Math.min(size - 1, at))
  return [
    { at: within(first), share: 1 - share },
    { at: within(first + 1), share },
  ]
}
