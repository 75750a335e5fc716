import { compose, composeFilling } from '../artwork/composition.ts'
import { type Drawn, sceneOf } from '../artwork/scene.ts'
import { shades } from '../formats/colour.ts'
import type { Pixels } from '../formats/pixels.ts'
import { raster } from '../formats/raster.ts'
import { fullSize, type Matrix, QUIET_ZONE } from '../symbol/matrix.ts'

/**
 * A symbol as a picture of `size` pixels across, the same as in its PNG on white paper.
 *
 * @param size edge in pixels, a positive whole number
 * @throws PictureTooSmall below one pixel a module
 * @throws NotAColour if a color is not hexadecimal
 */
export function draw(matrix: Matrix, appearance: Drawn, size: number): Pixels {
  if (appearance.artwork)
    return onWhite(compose(sceneOf(matrix, appearance), size, appearance.logo))
  const { style, foreground, background } = appearance
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

/** The same as an SVG is shown: a look with artwork fills the size, and modules end within pixels. */
export function drawFilling(matrix: Matrix, appearance: Drawn, size: number): Pixels {
  if (!appearance.artwork) return draw(matrix, appearance, size)
  return onWhite(composeFilling(sceneOf(matrix, appearance), size, appearance.logo))
}

/** The same with `module` pixels for the edge of each module, and none left over. */
export function drawModules(matrix: Matrix, appearance: Drawn, module: number): Pixels {
  return draw(matrix, appearance, module * placeOf(matrix, appearance).width)
}

/** In modules: the picture's edges, and where in it the symbol begins. */
export function placeOf(matrix: Matrix, appearance: Drawn) {
  if (appearance.artwork) return sceneOf(matrix, appearance)
  const edge = fullSize(matrix)
  return { width: edge, height: edge, left: QUIET_ZONE, top: QUIET_ZONE }
}

/** Replaces transparency by white paper. */
function onWhite({ width, height, data }: Pixels): Pixels {
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3] as number
    if (alpha === 255) continue
    for (let channel = at; channel < at + 3; channel++) {
      data[channel] = 255 + ((data[channel] as number) - 255) * (alpha / 255)
    }
    data[at + 3] = 255
  }
  return { width, height, data }
}
