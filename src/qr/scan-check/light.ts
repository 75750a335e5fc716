import { parseColour, type Rgb } from '../formats/colour.ts'

/** Entries of the table below: enough that it misses none of the 256 values by more than one. */
const STEPS = 4095

const values = Uint8ClampedArray.from(
  { length: STEPS + 1 },
  (_, step) => 255 * encoded(step / STEPS),
)
const lights = Float64Array.from({ length: 256 }, (_, value) => decoded(value / 255))

/** The light that an sRGB value from 0 to 255 stands for, 0 to 1 (IEC 61966-2-1). */
export function lightOf(value: number): number {
  return lights[value] as number
}

/** The sRGB value nearest to an amount of light, 0 to 255; light below 0 counts as 0, above 1 as 1. */
export function srgbOf(light: number): number {
  return values[Math.max(0, Math.min(STEPS, Math.round(light * STEPS)))] as number
}

function decoded(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

function encoded(light: number): number {
  return light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055
}

/**
 * How two colors differ in brightness: `contrast` from 1 to 21 in steps of 0.01, whichever is the
 * lighter (WCAG 2.2, "contrast ratio"), and whether that is the foreground.
 *
 * @throws NotAColour for anything but #rgb and #rrggbb
 */
export function compareColours(foreground: string, background: string) {
  const fore = relativeLuminance(parseColour(foreground)) + FLARE
  const back = relativeLuminance(parseColour(background)) + FLARE
  const ratio = fore > back ? fore / back : back / fore
  return { contrast: Math.round(100 * ratio) / 100, inverted: fore > back }
}

/** Light that a screen reflects besides its own. */
const FLARE = 0.05

/** From 0 (black) to 1 (white); WCAG 2.2, "relative luminance". */
export function relativeLuminance([red, green, blue]: Rgb): number {
  return 0.2126 * lightOf(red) + 0.7152 * lightOf(green) + 0.0722 * lightOf(blue)
}
