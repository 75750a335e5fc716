import type { Pixels } from '../formats/pixels.ts'
import { manyColoursPng, type PixelsPngOptions, pixelsPng } from '../formats/pixels-png.ts'
import { Composition, compose, layOutScene } from './composition.ts'
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
  const composition = new Composition(scene, layOutScene(scene, size), logo)
  const { height, isOpaque } = composition
  return manyColoursPng({ width: size, height, isOpaque, printSize }, bandsOf(composition))
}

function* bandsOf(composition: Composition) {
  const { width, height, band } = composition
  const words = new Int32Array(width * band)
  for (let top = 0; top < height; top += band) {
    const rows = words.subarray(0, width * Math.min(band, height - top))
    composition.draw(top, rows)
    yield rows
  }
}
