import { parseColour } from './colour.ts'

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
