import { parseColour, type Rgb } from '../formats/colour.ts'
import type { Appearance } from '../symbol/look.ts'
import { FINDER_SIZE, type Matrix, QUIET_ZONE } from '../symbol/matrix.ts'
import { drawModules, type Pixels } from './pixels.ts'

/** Pixels a module. */
const MODULE = 4
/** Each halves what is uncertain: at the end it is 1/128 of the symbol's edge. */
const HALVINGS = 7

/** A finder pattern and its separator in pixels; no logo may touch it. */
const FINDER = (FINDER_SIZE + 1) * MODULE

/**
 * How much of a symbol can be covered, as a share of its area: 0 to 1 in steps of 0.001. What covers
 * it is a square in the background's colour that grows from the centre, where people put logos. It
 * leaves out the finder patterns, without which no symbol is found at all.
 *
 * @param reads whether a picture still says what it did
 */
export async function damageMargin(
  matrix: Matrix,
  appearance: Appearance,
  reads: (pixels: Pixels) => Promise<boolean>,
): Promise<number> {
  const whole = drawModules(matrix, appearance, MODULE)
  const edge = matrix.size * MODULE
  const colour = parseColour(appearance.background)
  let [still, noMore] = [0, edge]
  for (let halving = 0; halving < HALVINGS; halving++) {
    const side = Math.round((still + noMore) / 2)
    if (await reads(covered(whole, square(edge, side), colour))) still = side
    else noMore = side
  }
  return Math.round((1000 * areaOf(square(edge, still))) / edge ** 2) / 1000
}

/** A row of covered pixels, counted from the symbol's top left; `end` is not among them. */
interface Run {
  readonly y: number
  readonly start: number
  readonly end: number
}

/** The square of that side in the middle of the symbol, without what lies in a finder pattern. */
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

function areaOf(runs: readonly Run[]): number {
  return runs.reduce((area, { start, end }) => area + end - start, 0)
}

function covered({ width, height, data }: Pixels, runs: readonly Run[], colour: Rgb): Pixels {
  const patched = data.slice()
  const margin = QUIET_ZONE * MODULE
  for (const { y, start, end } of runs) {
    const row = (margin + y) * width + margin
    for (let x = start; x < end; x++) patched.set(colour, 4 * (row + x))
  }
  return { width, height, data: patched }
}
