/** Steps of the table below: so many that no step of the 256 values is skipped by more than one. */
const STEPS = 4095

const values = Uint8ClampedArray.from(
  { length: STEPS + 1 },
  (_, step) => 255 * encoded(step / STEPS),
)
const lights = Float64Array.from({ length: 256 }, (_, value) => decoded(value / 255))

/** Light that an sRGB value, 0 to 255, stands for: 0 to 1 (IEC 61966-2-1). */
export function lightOf(value: number): number {
  return lights[value] as number
}

/** sRGB value nearest to an amount of light, 0 to 255; what is below 0 or above 1 is cut off. */
export function srgbOf(light: number): number {
  return values[Math.max(0, Math.min(STEPS, Math.round(light * STEPS)))] as number
}

function decoded(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

function encoded(light: number): number {
  return light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055
}
