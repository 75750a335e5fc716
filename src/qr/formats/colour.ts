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

/** The color spaces of a print: red, green and blue, or the four inks of a press. */
export const inkSpaces = ['rgb', 'cmyk'] as const
export type InkSpace = (typeof inkSpaces)[number]

/**
 * A color's shares from 0 to 1. CMYK is by the plain formula, without a press's profile: what the three
 * inks have in common is black ink, so that black is nothing else (ISO 32000-1 §10.3.5, with all black
 * generated and all under-color removed).
 *
 * @throws NotAColour
 */
export function inkOf(colour: string, space: InkSpace): number[] {
  const [red, green, blue] = parseColour(colour)
  return space === 'rgb' ? [red / 255, green / 255, blue / 255] : inksOf(red, green, blue)
}

/** Cyan, magenta, yellow, black: shares from 0 to 1 of channels from 0 to 255. */
export function inksOf(red: number, green: number, blue: number): number[] {
  const light = Math.max(red, green, blue)
  if (light === 0) return [0, 0, 0, 1]
  return [1 - red / light, 1 - green / light, 1 - blue / light, 1 - light / 255]
}

/** Names of the spaces in PDF and PostScript. */
export const deviceSpaces: Record<InkSpace, string> = { rgb: 'DeviceRGB', cmyk: 'DeviceCMYK' }
