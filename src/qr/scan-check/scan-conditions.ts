import type { Drawn } from '../artwork/scene.ts'
import type { Pixels } from '../formats/pixels.ts'
import type { Matrix } from '../symbol/matrix.ts'
import { lightOf, srgbOf } from './light.ts'
import { drawModules } from './pixels.ts'
import type { ScanCondition } from './verdict.ts'

/** Pixels a module of a code that is far away: the fewest with which a decoder has a chance. */
const SMALL = 2
/** Pixels a module in the other conditions: enough to show their effects, few enough to be quick. */
const NEAR = 4
/**
 * Standard deviation of the blur in modules. A lens 2 mm wide and focused at 45 cm turns each point of
 * a code at 30 cm into a disc of 0.67 mm, whose standard deviation is a quarter of that: 0.3 modules
 * of a short link printed 20 mm wide.
 */
const BLUR = 0.3

/** A symbol as a camera sees it in each condition; the same pixels every time. */
export const seenIn = {
  small: (matrix, appearance) => drawModules(matrix, appearance, SMALL),
  blurred: (matrix, appearance) => blur(drawModules(matrix, appearance, NEAR), BLUR * NEAR),
  lowLight: (matrix, appearance) => inLowLight(drawModules(matrix, appearance, NEAR)),
} satisfies Record<Exclude<ScanCondition, 'asIs'>, (matrix: Matrix, appearance: Drawn) => Pixels>

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

/**
 * Electrons that white leaves in a pixel: paper at 10 lux (a candle-lit table) sends 95 photons into
 * a pixel of 1 µm behind a lens of f/1.8 in 1/30 s, of which a sensor catches half.
 */
const WHITE = 50
/** Noise of the sensor's electronics in electrons, as a standard deviation. */
const READ_NOISE = 2
/** Share of all light that a smeared lens scatters over the whole picture. */
const VEIL = 0.05
/** The camera can't brighten the picture further: white comes out as a dark gray. */
const EXPOSURE = 0.15

/**
 * A picture as a phone takes it at dusk: darker, flatter and noisy. Light arrives one photon at a
 * time, so its noise is the square root of its amount. The same picture always gets the same noise.
 */
export function inLowLight({ width, height, data }: Pixels): Pixels {
  const grain = noise()
  const dim = new Uint8ClampedArray(data.length).fill(255)
  for (let at = 0; at < data.length; at += 4) {
    for (let channel = at; channel < at + 3; channel++) {
      const electrons = WHITE * (VEIL + (1 - VEIL) * lightOf(data[channel] as number))
      const caught = electrons + grain() * Math.sqrt(electrons + READ_NOISE ** 2)
      dim[channel] = srgbOf((EXPOSURE * caught) / WHITE)
    }
  }
  return { width, height, data: dim }
}

/** Any number would do, as long as it stays the same. */
const SEED = 18_004

/** Mean and standard deviation of the sum of four bytes: 4 × 127.5, and √(4 × (256² - 1) / 12). */
const MEAN = 510
const DEVIATION = 147.8

/**
 * Random numbers with mean 0 and standard deviation 1, the same in every run. A sum of four bytes is
 * near enough to a normal distribution: its rarest values are 3.45 deviations from the mean.
 */
export function noise(): () => number {
  const next = randomBits()
  return () => {
    const bits = next()
    const sum = (bits & 255) + ((bits >> 8) & 255) + ((bits >> 16) & 255) + (bits >>> 24)
    return (sum - MEAN) / DEVIATION
  }
}

/** 32 random bits at each call: a counter (in steps of the golden ratio) through MurmurHash3's finalizer. */
function randomBits(): () => number {
  let counter = SEED
  return () => {
    counter = (counter + 0x9e3779b9) | 0
    let bits = counter
    bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
    bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
    return bits ^ (bits >>> 16)
  }
}
