import { normalColour } from '../symbol/look.ts'

/** Red, green, blue; each 0 to 255, sRGB. */
export type Rgb = readonly [red: number, green: number, blue: number]

/**
 * The three channels of #rgb or #rrggbb.
 *
 * @throws NotAColour for anything else
 */
export function parseColour(text: string): Rgb {
  const value = Number.parseInt(normalColour(text).slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

/**
 * Even steps from background (first) to foreground (last), three bytes each. The steps are even in
 * sRGB values, as browsers blend the edges of an SVG.
 *
 * @param count number of shades, at least 2
 * @throws NotAColour if one of the colors is not hexadecimal
 */
export function shades(background: string, foreground: string, count: number): Uint8Array {
  const from = parseColour(background)
  const to = parseColour(foreground)
  const bytes = new Uint8Array(3 * count)
  for (let step = 0; step < count; step++) {
    const share = step / (count - 1)
    for (const channel of [0, 1, 2] as const) {
      bytes[3 * step + channel] = Math.round(from[channel] * (1 - share) + to[channel] * share)
    }
  }
  return bytes
}
