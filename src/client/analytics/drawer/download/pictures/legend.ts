import { formatCount } from '../../../../formats.ts'
import { SHADES } from '../../figures.ts'
import { textAt, textWidth } from './svg.ts'

/* The light theme's colours (ui/theme/brand.css): a file has no theme, and its paper is white. */

export const TEXT = '#2a2520'
export const QUIET = '#665d51'
export const LINE = '#e3ddd3'
export const EDGE = '#c4bbad'
export const TINT = '#f4f1ec'
export const BEFORE = '#b0622f'
export const PAPER = '#ffffff'

const ACCENT = [0x0b, 0x66, 0x55]
const WHITE = 0xff

/** The accent on paper, from 0 to 1. */
const accentOf = (part: number) =>
  `#${ACCENT.map((value) =>
    Math.round(part * value + (1 - part) * WHITE)
      .toString(16)
      .padStart(2, '0'),
  ).join('')}`

export const VISITORS = accentOf(1)
export const SCANS = accentOf(0.45)

/** The same parts as in scans-plot.module.css. */
const parts = [0.16, 0.34, 0.54, 0.76, 1]
const shades = [TINT, ...parts.map(accentOf)]

export const shadeColour = (shade: number) => shades[shade] ?? TINT

const SIZE = 13
const SWATCH = 14
const GAP = 24

export type Key = { name: string; colour: string; isLine?: boolean }

/** Colours with their names, side by side; 20 high. */
export function keys(all: readonly Key[]): string {
  let x = 0
  return all
    .map(({ name, colour, isLine }) => {
      const swatch = isLine
        ? `<path d="M${x} 10h${2 * SWATCH}" stroke="${colour}" stroke-width="2" stroke-dasharray="5 4"/>`
        : `<rect x="${x}" y="3" width="${SWATCH}" height="${SWATCH}" rx="3" fill="${colour}"/>`
      const left = x + (isLine ? 2 * SWATCH : SWATCH) + 8
      x = left + Math.ceil(textWidth(name, SIZE)) + GAP
      return swatch + textAt(left, 15, name, { size: SIZE, fill: QUIET })
    })
    .join('')
}

/** The shades from nothing to the most; 20 high. */
export function shadeKeys(most: number, noun: string): string {
  const of = `${noun}${most === 1 ? '' : 's'}`
  const zero = textAt(0, 15, '0', { size: SIZE, fill: QUIET })
  const swatches = Array.from({ length: SHADES + 1 }, (_, shade) => {
    const x = 16 + shade * 24
    return `<rect x="${x}" y="3" width="22" height="14" fill="${shadeColour(shade)}" stroke="${EDGE}" stroke-width="0.5"/>`
  })
  const end = 16 + (SHADES + 1) * 24 + 6
  return `${zero}${swatches.join('')}${textAt(end, 15, `${formatCount(most)} ${of}`, { size: SIZE, fill: QUIET })}`
}
