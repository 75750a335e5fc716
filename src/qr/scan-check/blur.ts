import type { Pixels } from '../formats/pixels.ts'
import { lightOf, srgbOf } from './light.ts'

/** Beyond three standard deviations a Gaussian has 0.3 % of its weight left. */
const REACH = 3

/**
 * A picture out of focus. A Gaussian spreads light, not sRGB values, since light is what a lens
 * spreads. Beyond the picture its outermost pixels continue.
 *
 * @param deviation standard deviation in pixels, above 0
 */
export function blur({ width, height, data }: Pixels, deviation: number): Pixels {
  const weights = gaussian(deviation)
  const blurred = new Uint8ClampedArray(data.length).fill(255)
  for (const channel of [0, 1, 2]) {
    const light = new Float32Array(width * height)
    for (let at = 0; at < light.length; at++) light[at] = lightOf(data[4 * at + channel] as number)
    const across = turned(spread(light, width, weights), width, height)
    const down = turned(spread(across, height, weights), height, width)
    down.forEach((value, at) => {
      blurred[4 * at + channel] = srgbOf(value)
    })
  }
  return { width, height, data: blurred }
}

/** Weights of a pixel and its neighbors on both sides; their sum is 1. */
function gaussian(deviation: number): number[] {
  const reach = Math.ceil(REACH * deviation)
  const bell = Array.from({ length: 2 * reach + 1 }, (_, at) =>
    Math.exp(-((at - reach) ** 2) / (2 * deviation ** 2)),
  )
  const whole = bell.reduce((sum, weight) => sum + weight)
  return bell.map((weight) => weight / whole)
}

/** Each row of `width` pixels, blended along itself. */
function spread(light: Float32Array, width: number, weights: number[]): Float32Array {
  const reach = (weights.length - 1) / 2
  const blended = new Float32Array(light.length)
  for (let start = 0; start < light.length; start += width) {
    for (let x = 0; x < width; x++) {
      let sum = 0
      for (let step = -reach; step <= reach; step++) {
        const at = Math.max(0, Math.min(width - 1, x + step))
        sum += (weights[step + reach] as number) * (light[start + at] as number)
      }
      blended[start + x] = sum
    }
  }
  return blended
}

/** Rows as columns. */
function turned(light: Float32Array, width: number, height: number): Float32Array {
  const columns = new Float32Array(light.length)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) columns[x * height + y] = light[y * width + x] as number
  }
  return columns
}
