import { box, type Contour } from '../formats/outline.ts'
import { FINDER_SIZE, finders, type Matrix } from '../symbol/matrix.ts'
import type { EyeShape } from './artwork.ts'

/** Corners of a square: top left, top right, bottom right, bottom left. */
type Radii = readonly [number, number, number, number]

/** Radius of a shape's corners as a share of half its edge. */
const softness: Record<EyeShape, number> = { square: 0, rounded: 2 / 7, circle: 1, leaf: 5 / 7 }

/**
 * The ring of an eye, and what is left blank in it. A rounded ring's radius is one module: detectors
 * that look at a finder pattern's corners lose rounder ones.
 */
export function ringContours(matrix: Matrix, shape: EyeShape): Contour[] {
  return finders(matrix).flatMap(({ x, y }, eye) => {
    const isRising = eye === 0
    return [
      square(x, y, FINDER_SIZE, shape, isRising),
      square(x + 1, y + 1, FINDER_SIZE - 2, shape, isRising).toReversed(),
    ]
  })
}

export function ballContours(matrix: Matrix, shape: EyeShape): Contour[] {
  return finders(matrix).map(({ x, y }, eye) => square(x + 2, y + 2, 3, shape, eye === 0))
}

/**
 * An alignment pattern, five modules an edge, as a small eye. It is as round as a rounded eye at most:
 * a rounder one is a dot among modules, without a clear ring around it.
 */
export function alignmentContours({ x, y }: { x: number; y: number }, ring: EyeShape): Contour[] {
  const shape = ring === 'rounded' ? 'rounded' : 'square'
  return [
    square(x - 2, y - 2, 5, shape, true),
    square(x - 1, y - 1, 3, shape, true).toReversed(),
    square(x, y, 1, shape, true),
  ]
}

/** @param isRising a leaf's tips are at the top left and the bottom right; else at the other two corners */
function square(x: number, y: number, edge: number, shape: EyeShape, isRising: boolean): Contour {
  const radius = (edge / 2) * softness[shape]
  if (shape !== 'leaf') return box(x, y, edge, edge, radius)
  const radii: Radii = isRising ? [0, radius, 0, radius] : [radius, 0, radius, 0]
  return box(x, y, edge, edge, radii)
}
