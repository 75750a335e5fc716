import { lightOf, srgbOf } from './light.ts'
import { noise } from './noise.ts'
import type { Pixels } from './pixels.ts'

/**
 * Electrons that white leaves in a pixel: paper at 10 lux (a candle-lit table) sends 95 photons into
 * a pixel of 1 µm behind a lens of f/1.8 in 1/30 s, of which a sensor catches half.
 */
const WHITE = 50
/** Noise of the sensor's electronics in electrons, as a standard deviation. */
const READ_NOISE = 2
/** Share of all light that a smeared lens scatters over the whole picture. */
const VEIL = 0.05
/** What the camera cannot brighten any more: white comes out as a dark grey. */
const EXPOSURE = 0.15

/**
 * A picture as a phone takes it in the dusk: darker, flatter and noisy. Light arrives one photon at a
 * time, so its noise is the square root of its amount. The same picture has the same noise always.
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
