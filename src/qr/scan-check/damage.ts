import type { LogoPlace } from '../artwork/artwork.ts'
import { blankUnder } from '../artwork/parts.ts'
import { type Drawn, fittingLogo } from '../artwork/scene.ts'
import { parseColour, type Rgb } from '../formats/colour.ts'
import type { Pixels } from '../formats/pixels.ts'
import { FINDER_SIZE, type Matrix } from '../symbol/matrix.ts'
import { drawModules, placeOf } from './pixels.ts'

/** Pixels a module. */
const MODULE = 4
/** Each step halves the uncertainty: after the last it is 1/128 of the symbol's edge. */
const HALVINGS = 7

/** A finder pattern and its separator in pixels; no logo may touch it. */
const FINDER = (FINDER_SIZE + 1) * MODULE

/**
 * How much of a symbol can be covered, as a share of its area: 0 to 1 in steps of 0.001. A square in
 * the background's color grows from the center, where people put logos. It leaves out the finder
 * patterns, without which no decoder finds a symbol. The part that a logo covers already does not count:
 * the square begins with it.
 *
 * @param reads whether a decoder still reads the same text in a picture
 */
export async function damageMargin(
  matrix: Matrix,
  appearance: Drawn,
  reads: (pixels: Pixels) => Promise<boolean>,
): Promise<number> {
  const whole = drawModules(matrix, appearance, MODULE)
  const edge = matrix.size * MODULE
  const { left, top } = placeOf(matrix, appearance)
  const colour = parseColour(appearance.background)
  const logo = fittingLogo(matrix.size, appearance)
  let [readable, unreadable] = [logo ? MODULE * withinLogo(logo) : 0, edge]
  for (let halving = 0; halving < HALVINGS; halving++) {
    const side = Math.round((readable + unreadable) / 2)
    if (await reads(covered(whole, moved(square(edge, side), MODULE * left, MODULE * top), colour)))
      readable = side
    else unreadable = side
  }
  const isBlank = blankUnder(matrix.size, logo)
  return Math.round((1000 * areaOf(square(edge, readable), isBlank)) / edge ** 2) / 1000
}

/** The edge of a square, in whole modules, that lies within the logo's place. */
const withinLogo = ({ size, plate }: Pick<LogoPlace, 'size' | 'plate'>) =>
  plate === 'round' ? Math.floor(size / Math.SQRT2) : size

/** A row of covered pixels, counted from the symbol's top left; without `end`. */
interface Run {
  readonly y: number
  readonly start: number
  readonly end: number
}

/** The square with that side in the middle of the symbol, without the finder patterns. */
function square(edge: number, side: number): Run[] {
  const first = Math.floor((edge - side) / 2)
  return Array.from({ length: side }, (_, row) => {
    const y = first + row
    const [top, bottom] = [y < FINDER, y >= edge - FINDER]
    const start = top || bottom ? Math.max(first, FINDER) : first
    const end = top ? Math.min(first + side, edge - FINDER) : first + side
    return { y, start, end: Math.max(start, end) }
  })
}

/** Pixels in the runs, without those of modules that are blank. */
function areaOf(runs: readonly Run[], isBlank: (x: number, y: number) => boolean): number {
  let area = 0
  for (const { y, start, end } of runs) {
    for (let x = start; x < end; x++) {
      if (!isBlank(Math.floor(x / MODULE), Math.floor(y / MODULE))) area++
    }
  }
  return area
}

const moved = (runs: readonly Run[], left: number, top: number): Run[] =>
  runs.map(({ y, start, end }) => ({ y: y + top, start: start + left, end: end + left }))

function covered({ width, height, data }: Pixels, runs: readonly Run[], colour: Rgb): Pixels {
  const patched = data.slice()
  for (const { y, start, end } of runs) {
    for (let x = start; x < end; x++) patched.set(colour, 4 * (y * width + x))
  }
  return { width, height, data: patched }
}
