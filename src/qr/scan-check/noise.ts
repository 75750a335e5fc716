/** Any number does; with the same one the same picture gets the same noise. */
const SEED = 18_004

/** Of the sum of four bytes: 4 × 127.5, and the root of 4 × (256² - 1) / 12. */
const MEAN = 510
const DEVIATION = 147.8

/**
 * Random numbers of mean 0 and standard deviation 1, the same in every run. A sum of four bytes is
 * normal enough: its rarest values are 3.45 deviations out.
 */
export function noise(): () => number {
  const next = randomBits()
  return () => {
    const bits = next()
    const sum = (bits & 255) + ((bits >> 8) & 255) + ((bits >> 16) & 255) + (bits >>> 24)
    return (sum - MEAN) / DEVIATION
  }
}

/** 32 bits at a time: a counter (by the golden ratio) through MurmurHash3's finalizer. */
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
