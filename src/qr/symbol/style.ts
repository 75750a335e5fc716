import type { Style } from './look.ts'

/** How a style rounds the outline of adjacent modules; radii in modules, 0 to 0.5. */
export interface Rounding {
  /** The radius of convex corners. 0.5 makes a single module a dot and the end of a line a half circle. */
  readonly outer: number
  /** The radius of concave corners. outer + inner may not exceed 1, the shortest edge between corners. */
  readonly inner: number
}

export const rounding: Record<Style, Rounding> = {
  classic: { outer: 0, inner: 0 },
  rounded: { outer: 0.5, inner: 0.375 },
}

/**
 * A rounded finder pattern from outside in: dark, light, dark. Squares of 7, 5 and 3 modules share one
 * center, so that every line through it still reads 1:1:3:1:1 (ISO/IEC 18004:2024 §5.3.3). A radius is
 * at most 1 module: OpenCV's detector measures a symbol by the outer corners and misreads rounder ones.
 */
export const finderSquares = [
  { edge: 7, radius: 1, dark: true },
  { edge: 5, radius: 1, dark: false },
  { edge: 3, radius: 1, dark: true },
] as const
