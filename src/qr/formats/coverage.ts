/**
 * Share of a pixel that a shape covers, 0 to 1, from the distance in pixels between the pixel's
 * centre and the shape's edge: negative inside. Exact for straight edges on the pixel grid, within
 * a few hundredths for circles of two pixels radius and more.
 */
export function coverage(distance: number): number {
  return Math.min(1, Math.max(0, 0.5 - distance))
}

/**
 * A square block of pixels, as rows of shades.
 *
 * @param edge in pixels
 * @param shades number of shades: coverage 0 becomes 0, coverage 1 becomes shades - 1
 * @param coverageAt share covered of the pixel whose centre is at x, y
 */
export function block(
  edge: number,
  shades: number,
  coverageAt: (x: number, y: number) => number,
): Uint8Array[] {
  return Array.from({ length: edge }, (_, y) => {
    const row = new Uint8Array(edge)
    for (let x = 0; x < edge; x++) {
      row[x] = Math.round(coverageAt(x + 0.5, y + 0.5) * (shades - 1))
    }
    return row
  })
}
