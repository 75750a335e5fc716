import type { Pixels } from '../formats/pixels.ts'

/**
 * A picture at another size. A pixel of the result is the mean of those that it covers, or lies between
 * its four neighbors if it is enlarged; transparent pixels lend no color to others.
 */
export function resize(from: Pixels, width: number, height: number): Pixels {
  if (from.width === width && from.height === height) return from
  if (from.width >= 2 * width && from.height >= 2 * height) {
    return resize(halved(from), width, height)
  }
  const across = weights(from.width, width)
  const down = weights(from.height, height)
  const data = new Uint8ClampedArray(4 * width * height)
  const line = new Float64Array(4 * from.width)
  for (let y = 0; y < height; y++) {
    line.fill(0)
    for (let tap = y * down.taps; tap < (y + 1) * down.taps; tap++) {
      const share = down.shares[tap] as number
      if (share > 0) addRow(from, down.places[tap] as number, share, line)
    }
    for (let x = 0; x < width; x++) writePixel(line, across, x, data, 4 * (y * width + x))
  }
  return { width, height, data }
}

/** Half as wide and high; of an odd row or column half is left out. Plain areas take no time. */
function halved({ width: wide, height: high, data }: Pixels): Pixels {
  const words = new Int32Array(data.buffer)
  const [width, height] = [wide >> 1, high >> 1]
  const half = new Int32Array(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = 2 * y * wide + 2 * x
      const one = words[at] as number
      const two = words[at + 1] as number
      const three = words[at + wide] as number
      const four = words[at + wide + 1] as number
      const isPlain = one === two && one === three && one === four
      half[y * width + x] = isPlain ? one : meanOf(one, two, three, four)
    }
  }
  return { width, height, data: new Uint8ClampedArray(half.buffer) }
}

function meanOf(one: number, two: number, three: number, four: number): number {
  const [a, b, c, d] = [one >>> 24, two >>> 24, three >>> 24, four >>> 24]
  const alpha = a + b + c + d
  if (alpha === 0) return 0
  const mean = (shift: number) => {
    const upper = a * ((one >>> shift) & 255) + b * ((two >>> shift) & 255)
    const lower = c * ((three >>> shift) & 255) + d * ((four >>> shift) & 255)
    return Math.floor((upper + lower) / alpha + 0.5) << shift
  }
  return (((alpha + 2) >> 2) << 24) | mean(16) | mean(8) | mean(0)
}

function writePixel(
  line: Float64Array,
  { taps, places, shares }: Weights,
  x: number,
  into: Uint8ClampedArray,
  to: number,
) {
  let red = 0
  let green = 0
  let blue = 0
  let alpha = 0
  for (let tap = x * taps; tap < (x + 1) * taps; tap++) {
    const share = shares[tap] as number
    const at = 4 * (places[tap] as number)
    red += share * (line[at] as number)
    green += share * (line[at + 1] as number)
    blue += share * (line[at + 2] as number)
    alpha += share * (line[at + 3] as number)
  }
  if (alpha === 0) return
  into[to] = red / alpha
  into[to + 1] = green / alpha
  into[to + 2] = blue / alpha
  into[to + 3] = alpha
}

/** Adds a share of a row's pixels to sums: each color times how opaque it is, and that. */
function addRow({ width, data }: Pixels, row: number, share: number, into: Float64Array) {
  const end = 4 * width
  for (let to = 0, at = end * row; to < end; to += 4, at += 4) {
    const weight = share * (data[at + 3] as number)
    if (weight === 0) continue
    into[to] = (into[to] as number) + weight * (data[at] as number)
    into[to + 1] = (into[to + 1] as number) + weight * (data[at + 1] as number)
    into[to + 2] = (into[to + 2] as number) + weight * (data[at + 2] as number)
    into[to + 3] = (into[to + 3] as number) + weight
  }
}

/**
 * For each pixel of the result `taps` pixels of the source, and each one's share; the shares of a pixel
 * add up to 1, and those that are not needed are 0.
 */
function weights(from: number, to: number) {
  const scale = from / to
  const taps = Math.max(2, Math.ceil(scale) + 1)
  const places = new Int32Array(taps * to)
  const shares = new Float64Array(taps * to)
  for (let index = 0; index < to; index++) {
    // If it is enlarged, between two pixels: as a pixel that begins half of its width before its place.
    const start = scale <= 1 ? (index + 0.5) * scale - 0.5 : index * scale
    const end = start + Math.max(1, scale)
    for (let tap = 0; tap < taps; tap++) {
      const at = Math.floor(start) + tap
      const share = Math.min(end, at + 1) - Math.max(start, at)
      places[index * taps + tap] = Math.max(0, Math.min(from - 1, at))
      shares[index * taps + tap] = Math.max(0, share / (end - start))
    }
  }
  return { taps, places, shares }
}
type Weights = ReturnType<typeof weights>
