import { SHADES } from '../../heat.ts'

/* The light theme's colours (ui/brand.css): a file has no theme, and its paper is white. */

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

/** As the drawer's shades. */
const parts = [0.16, 0.34, 0.54, 0.76, 1]
const shades = [TINT, ...Array.from({ length: SHADES }, (_, index) => accentOf(parts[index] ?? 1))]

export const shadeColour = (shade: number) => shades[shade] ?? TINT
