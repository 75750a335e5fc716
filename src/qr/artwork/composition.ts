import { parseColour, type Rgb } from '../formats/colour.ts'
import { PictureTooSmall } from '../formats/layout.ts'
import type { Pixels } from '../formats/pixels.ts'
import { COVERED, Coverage } from './coverage.ts'
import type { GradientPaint, Layer, Paint } from './layers.ts'
import { resize } from './resize.ts'
import type { Scene } from './scene.ts'

/** Rows that are drawn at once: the memory that it takes stays the same for any picture. */
const BAND = 256

/**
 * How many whole pixels a module takes, and how large the page is then. Pixels that are left over
 * widen the page evenly on all sides.
 *
 * @param width of the picture in pixels
 * @throws PictureTooSmall below one pixel a module
 */
export function layOutScene(scene: Scene, width: number) {
  const module = Math.floor(width / scene.width)
  if (module < 1) throw new PictureTooSmall(width, Math.ceil(scene.width))
  const spare = width - module * scene.width
  return {
    module,
    left: Math.floor(spare / 2),
    top: Math.floor(spare / 2),
    width,
    height: Math.round(module * scene.height + spare),
  }
}

/**
 * Draws a scene as pixels. Every module is a whole number of pixels wide, so that straight edges are
 * sharp. Without a background the picture is transparent.
 *
 * @param logo the logo's picture, if the scene has one
 * @throws PictureTooSmall below one pixel a module, NotAColour
 */
export function compose(scene: Scene, width: number, logo?: Pixels): Pixels {
  return composeIn(scene, layOutScene(scene, width), logo)
}

/**
 * The same as an SVG is shown: as large as the page fits into whole pixels, in their middle, and modules
 * may end within a pixel.
 */
export function composeFilling(scene: Scene, width: number, logo?: Pixels): Pixels {
  const height = Math.round((width * scene.height) / scene.width)
  const module = Math.min(width / scene.width, height / scene.height)
  const left = (width - module * scene.width) / 2
  const top = (height - module * scene.height) / 2
  return composeIn(scene, { module, left, top, width, height }, logo)
}

function composeIn(scene: Scene, layout: Layout, logo?: Pixels): Pixels {
  const { width, height } = layout
  const data = new Uint8ClampedArray(4 * width * height)
  if (!scene.layers.some(({ name }) => name === 'background')) {
    new Uint32Array(data.buffer).fill(CLEAR_WHITE)
  }
  for (let top = 0; top < height; top += BAND) {
    composeBand(scene, layout, data, top)
  }
  const picture = { width, height, data }
  if (scene.logo && logo) placeLogo(picture, scene.logo, layout, logo)
  return picture
}

/** Programs that know no transparency, decoders among them, see white paper and not black. */
const CLEAR_WHITE = 0x00ffffff

type Layout = ReturnType<typeof layOutScene>

function composeBand(scene: Scene, layout: Layout, data: Uint8ClampedArray, top: number) {
  const rows = Math.min(BAND, layout.height - top)
  const coverage = new Coverage(layout.width, rows)
  for (const layer of scene.layers) {
    if (layer.name === 'background') {
      fill(data, layer.paint, 4 * layout.width * top, 4 * layout.width * (top + rows))
      continue
    }
    coverage.begin(layout.module, layout.left, layout.top - top)
    for (const figure of layer.figures) figure(coverage)
    paint(coverage, layer, layout, data, top)
  }
}

/** The background covers the page and what is left over around it. */
function fill(data: Uint8ClampedArray, { colour }: Paint, from: number, to: number) {
  const [red, green, blue] = parseColour(colour)
  const pixels = new Uint32Array(data.buffer, from, (to - from) / 4)
  pixels.fill((0xff000000 | (blue << 16) | (green << 8) | red) >>> 0)
}

function paint(
  coverage: Coverage,
  { paint: { colour, gradient } }: Layer,
  layout: Layout,
  data: Uint8ClampedArray,
  top: number,
) {
  const start = parseColour(colour)
  const colours = gradient && new GradientColours(start, gradient, layout)
  coverage.rows((row, y) => {
    colours?.beginRow(y + top)
    const line = 4 * (y + top) * layout.width
    for (let x = 0; x < row.length; x++) {
      const covered = row[x] as number
      if (covered === 0) continue
      over(data, line + 4 * x, colours ? colours.at(x) : start, covered / COVERED)
    }
  })
}

/** Puts a colour over a pixel that may be transparent (W3C Compositing and Blending, "source over"). */
function over(data: Uint8ClampedArray, at: number, [red, green, blue]: Rgb, share: number) {
  const below = data[at + 3] as number
  if (share === 1 || below === 0) {
    data[at] = red
    data[at + 1] = green
    data[at + 2] = blue
    data[at + 3] = share === 1 ? 255 : 255 * share
    return
  }
  const rest = (below / 255) * (1 - share)
  const alpha = share + rest
  data[at] = (red * share + (data[at] as number) * rest) / alpha
  data[at + 1] = (green * share + (data[at + 1] as number) * rest) / alpha
  data[at + 2] = (blue * share + (data[at + 2] as number) * rest) / alpha
  data[at + 3] = 255 * alpha
}

/** Colours of a gradient: enough steps that none can be seen. */
const GRADIENT_STEPS = 256

class GradientColours {
  readonly #gradient: GradientPaint
  readonly #layout: Layout
  readonly #colours: Rgb[]
  #base = 0
  #step = 0
  #down = 0

  constructor(from: Rgb, gradient: GradientPaint, layout: Layout) {
    const to = parseColour(gradient.to)
    const between = (share: number, channel: 0 | 1 | 2) =>
      Math.round(from[channel] * (1 - share) + to[channel] * share)
    this.#gradient = gradient
    this.#layout = layout
    this.#colours = Array.from({ length: GRADIENT_STEPS }, (_, step) => {
      const share = step / (GRADIENT_STEPS - 1)
      return [between(share, 0), between(share, 1), between(share, 2)] as const
    })
  }

  beginRow(y: number) {
    const { module, left, top } = this.#layout
    const gradient = this.#gradient
    const down = (y + 0.5 - top) / module
    if (gradient.kind === 'radial') {
      this.#down = (down - gradient.y) ** 2
      return
    }
    const [wide, high] = [gradient.x2 - gradient.x1, gradient.y2 - gradient.y1]
    const length = wide * wide + high * high
    const across = (0.5 - left) / module
    this.#base = ((across - gradient.x1) * wide + (down - gradient.y1) * high) / length
    this.#step = wide / length / module
  }

  at(x: number): Rgb {
    const share = this.#shareAt(x)
    const step = Math.max(0, Math.min(GRADIENT_STEPS - 1, Math.round(share * (GRADIENT_STEPS - 1))))
    return this.#colours[step] as Rgb
  }

  #shareAt(x: number): number {
    const { module, left } = this.#layout
    const gradient = this.#gradient
    if (gradient.kind === 'linear') return this.#base + x * this.#step
    const across = (x + 0.5 - left) / module - gradient.x
    return Math.sqrt(across * across + this.#down) / gradient.radius
  }
}

/** The logo as large as its box allows, in its middle; each pixel is the mean of those that it stands for. */
function placeLogo(
  picture: Pixels,
  box: { x: number; y: number; width: number; height: number },
  { module, left, top }: Layout,
  logo: Pixels,
) {
  const scale = module * Math.min(box.width / logo.width, box.height / logo.height) || 1
  const [width, height] = [Math.round(logo.width * scale), Math.round(logo.height * scale)]
  const startX = Math.round(left + module * (box.x + box.width / 2) - width / 2)
  const startY = Math.round(top + module * (box.y + box.height / 2) - height / 2)
  const scaled = resize(logo, Math.max(1, width), Math.max(1, height))
  for (let y = 0; y < scaled.height; y++) {
    for (let x = 0; x < scaled.width; x++) {
      const from = 4 * (y * scaled.width + x)
      const alpha = scaled.data[from + 3] as number
      if (alpha === 0) continue
      const colour: Rgb = [
        scaled.data[from] as number,
        scaled.data[from + 1] as number,
        scaled.data[from + 2] as number,
      ]
      over(picture.data, 4 * ((startY + y) * picture.width + startX + x), colour, alpha / 255)
    }
  }
}
