import type { Pixels } from '../formats/pixels.ts'
import { lightOf, srgbOf } from './light.ts'

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
