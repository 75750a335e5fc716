import type { Pixels } from '../formats/pixels.ts'
import { manyColoursPng, type PixelsPngOptions, pixelsPng } from '../formats/pixels-png.ts'
import { compose, compositionOf, layOutScene } from './composition.ts'
import type { Scene } from './scene.ts'

export interface ScenePngOptions extends PixelsPngOptions {
  /** Width of the picture in pixels */
  readonly size: number
  readonly logo?: Pixels | undefined
}

/** Width of pictures that are small enough to look for a palette first. */
const SMALL = 256

/**
 * A scene as PNG. With a gradient or a logo it has too many colors for a palette, unless it is small:
 * then it is written band by band as it is drawn, and the whole picture is never in memory.
 *
 * @throws as `compose` does
 */
export async function scenePng(scene: Scene, options: ScenePngOptions): Promise<Uint8Array> {
  const { size, logo, printSize } = options
  const hasMany = scene.logo !== null || scene.layers.some(({ paint }) => paint.gradient)
  if (!hasMany || size <= SMALL) return pixelsPng(compose(scene, size, logo), options)
  const composition = compositionOf(scene, layOutScene(scene, size), logo)
  return manyColoursPng({ ...composition, printSize }, bandsOf(composition))
}

function* bandsOf({ width, height, band, draw }: ReturnType<typeof compositionOf>) {
  const words = new Int32Array(width * band)
  for (let top = 0; top < height; top += band) {
    const rows = words.subarray(0, width * Math.min(band, height - top))
    draw(top, rows)
    yield rows
  }
}
