import { HEX_COLOUR } from '../symbol/look.ts'

/** Red, green, blue; each 0 to 255, sRGB. */
export type Rgb = readonly [red: number, green: number, blue: number]

/** The text is not # and 3 or 6 hexadecimal digits. */
export class NotAColour extends RangeError {
  override name = 'NotAColour'
}

/**
 * The one spelling of a color: # and six lower-case digits, so `#FA0` becomes `#ffaa00`. The result
 * is safe inside markup.
 *
 * @throws NotAColour for anything but #rgb and #rrggbb
 */
export function normalColour(text: string): string {
  if (!HEX_COLOUR.test(text)) {
    throw new NotAColour(`${JSON.stringify(text)} isn’t a hex color like #1e40af.`)
  }
  const digits = text.slice(1).toLowerCase()
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`
}

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
