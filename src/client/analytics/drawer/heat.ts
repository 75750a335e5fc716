/** Shades of the heat map and of the world's map: 0 is nothing, the most is the darkest. */
export const SHADES = 5

/** The shade of a value among the largest: by its root, so that small ones are told apart. */
export function shadeOf(value: number, most: number): number {
  if (value <= 0 || most <= 0) return 0
  return Math.max(1, Math.ceil(SHADES * Math.sqrt(value / most)))
}
