import { parseColour, type Rgb } from '../formats/colour.ts'
import { lightOf } from './light.ts'

/**
 * How two colours differ in brightness: `contrast` from 1 to 21 in steps of 0.01, whichever is the
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

/** 0 (black) to 1 (white); WCAG 2.2, "relative luminance". */
export function relativeLuminance([red, green, blue]: Rgb): number {
  return 0.2126 * lightOf(red) + 0.7152 * lightOf(green) + 0.0722 * lightOf(blue)
}
