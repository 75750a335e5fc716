import { shades } from '../formats/colour.ts'
import type { Pixels } from '../formats/pixels.ts'
import { raster } from '../formats/raster.ts'
import type { Style } from '../symbol/look.ts'
import { fullSize, type Matrix } from '../symbol/matrix.ts'

/** How a symbol is drawn; colours are #rgb or #rrggbb. */
export interface Appearance {
  readonly style: Style
  readonly foreground: string
  readonly background: string
}

/**
 * A symbol as a picture of size × size pixels, the same as in its PNG.
 *
 * @param size edge in pixels, a positive whole number
 * @throws PictureTooSmall below one pixel a module
 * @throws NotAColour where a colour is not hexadecimal
 */
export function draw(
  matrix: Matrix,
  { style, foreground, background }: Appearance,
  size: number,
): Pixels {
  const { rows, shades: count } = raster(matrix, { style, size })
  const palette = shades(background, foreground, count)
  const data = new Uint8ClampedArray(4 * size * size).fill(255)
  rows.forEach((row, y) => {
    row.forEach((shade, x) => {
      const at = 4 * (y * size + x)
      data[at] = palette[3 * shade] as number
      data[at + 1] = palette[3 * shade + 1] as number
      data[at + 2] = palette[3 * shade + 2] as number
    })
  })
  return { width: size, height: size, data }
}

/** The same with `module` pixels for the edge of each module, and none left over. */
export function drawModules(matrix: Matrix, appearance: Appearance, module: number): Pixels {
  return draw(matrix, appearance, module * fullSize(matrix))
}
