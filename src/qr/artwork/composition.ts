import { parseColour, type Rgb, shades } from '../formats/colour.ts'
import type { Pixels } from '../formats/pixels.ts'
import { PictureTooSmall } from '../formats/raster.ts'
import { COVERED, Coverage, extentOf } from './coverage.ts'
import type { GradientPaint, Paint } from './layers.ts'
import { resize } from './resize.ts'
import type { Scene } from './scene.ts'

/** Pixels that are drawn at once, in whole rows: the memory that it takes stays the same for any picture. */
const BAND = 2 ** 16

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
  const { width, height, band, draw } = compositionOf(scene, layout, logo)
  const words = new Int32Array(width * height)
  for (let top = 0; top < height; top += band) {
    draw(top, words.subarray(width * top, width * Math.min(height, top + band)))
  }
  return { width, height, data: new Uint8ClampedArray(words.buffer) }
}

/** Programs that know no transparency, decoders among them, see white paper and not black. */
const CLEAR_WHITE = 0x00ffffff

type Layout = ReturnType<typeof layOutScene>

/**
 * A picture that is drawn in bands of that many rows, so that its caller needs memory for one band only.
 *
 * @throws NotAColour
 */
export function compositionOf(scene: Scene, layout: Layout, logo?: Pixels) {
  const { module, left, width, height } = layout
  const band = Math.min(height, Math.ceil(BAND / width))
  const background = scene.layers.find(({ name }) => name === 'background')
  const ground = background ? wordOf(parseColour(background.paint.colour)) : CLEAR_WHITE
  const layers = scene.layers
    .filter((layer) => layer !== background)
    .map(({ paint, figures }) => ({
      brush: brushOf(paint, layout),
      // Each with the rows of the scene that it is in.
      figures: figures.map((figure) => ({ figure, ...extentOf(figure) })),
    }))
  const coverage = new Coverage(width, band)
  const mark = scene.logo && logo && placedLogo(scene.logo, layout, logo)
  return { width, height, band, isOpaque: background !== undefined, draw }

  /**
   * Draws rows from this one on, at most `band` of them.
   *
   * @param words their pixels, each four bytes, red first; what was in them is forgotten
   */
  function draw(top: number, words: Int32Array) {
    // The background covers the page, and what is left over around it.
    words.fill(ground)
    const from = (top - layout.top) / module
    const to = (top + words.length / width - layout.top) / module
    for (const { brush, figures } of layers) {
      coverage.begin(module, left, layout.top - top)
      for (const { figure, top: high, bottom } of figures) {
        if (high < to && bottom > from) figure(coverage)
      }
      paint(brush, words, top)
    }
    if (mark) drawLogo(mark, words, width, top)
  }

  function paint(brush: Brush, words: Int32Array, top: number) {
    coverage.rows((runs, length, y) => {
      const line = y * width
      brush.beginRow(y + top)
      for (let at = 0; at < length; at += 3) {
        const from = runs[at] as number
        const to = runs[at + 1] as number
        const covered = runs[at + 2] as number
        if (covered === COVERED) {
          brush.fill(words, line, from, to)
          continue
        }
        for (let x = from; x < to; x++) {
          words[line + x] = over(words[line + x] as number, brush.at(x), covered / COVERED)
        }
      }
    })
  }
}

/** A color as the four bytes of a pixel, red first, in one number. */
const wordOf = ([red, green, blue]: Rgb) => 0xff000000 | (blue << 16) | (green << 8) | red

/** A color over a pixel that may be transparent (W3C Compositing and Blending, "source over"). */
function over(below: number, word: number, share: number): number {
  const under = below >>> 24
  if (share === 1) return word
  if (under === 0) return (word & 0xffffff) | (Math.round(255 * share) << 24)
  const rest = (under / 255) * (1 - share)
  const alpha = share + rest
  const one = share / alpha
  const other = rest / alpha
  const red = (word & 255) * one + (below & 255) * other
  const green = ((word >> 8) & 255) * one + ((below >> 8) & 255) * other
  const blue = ((word >> 16) & 255) * one + ((below >> 16) & 255) * other
  return (
    ((255 * alpha + 0.5) << 24) | ((blue + 0.5) << 16) | ((green + 0.5) << 8) | ((red + 0.5) | 0)
  )
}

/** Paints a layer. */
interface Brush {
  beginRow(y: number): void
  at(x: number): number
  fill(words: Int32Array, line: number, from: number, to: number): unknown
}

function brushOf({ colour, gradient }: Paint, layout: Layout): Brush {
  if (gradient) return new GradientBrush(colour, gradient, layout)
  const word = wordOf(parseColour(colour))
  return {
    beginRow() {},
    at: () => word,
    fill: (words, line, from, to) => words.fill(word, line + from, line + to),
  }
}

/** Colors of a gradient: enough steps that none can be seen. */
const GRADIENT_STEPS = 256

class GradientBrush implements Brush {
  readonly #gradient: GradientPaint
  readonly #layout: Layout
  readonly #words: Int32Array
  #base = 0
  #step = 0
  #down = 0

  constructor(from: string, gradient: GradientPaint, layout: Layout) {
    const steps = shades(from, gradient.to, GRADIENT_STEPS)
    this.#gradient = gradient
    this.#layout = layout
    this.#words = Int32Array.from({ length: GRADIENT_STEPS }, (_, step) =>
      wordOf([...steps.subarray(3 * step, 3 * step + 3)] as unknown as Rgb),
    )
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

  at(x: number): number {
    const step = Math.round(this.#shareAt(x) * (GRADIENT_STEPS - 1))
    return this.#words[Math.max(0, Math.min(GRADIENT_STEPS - 1, step))] as number
  }

  fill(words: Int32Array, line: number, from: number, to: number) {
    if (this.#gradient.kind === 'radial') {
      for (let x = from; x < to; x++) words[line + x] = this.at(x)
      return
    }
    // If both ends of a line are colors of the gradient, all between them are.
    const steps = GRADIENT_STEPS - 1
    const start = this.#base * steps + 0.5
    const step = this.#step * steps
    const ends = [start + from * step, start + (to - 1) * step]
    const isWithin = Math.min(...ends) >= 0 && Math.max(...ends) < GRADIENT_STEPS
    const colours = this.#words
    for (let x = from; x < to; x++) {
      words[line + x] = isWithin ? (colours[(start + x * step) | 0] as number) : this.at(x)
    }
  }

  #shareAt(x: number): number {
    const { module, left } = this.#layout
    const gradient = this.#gradient
    if (gradient.kind === 'linear') return this.#base + x * this.#step
    const across = (x + 0.5 - left) / module - gradient.x
    return Math.sqrt(across * across + this.#down) / gradient.radius
  }
}

/** The logo as large as its box allows, in its middle, with the place of its top left on the page; each pixel is the mean of those that it stands for. */
function placedLogo(
  box: { x: number; y: number; width: number; height: number },
  { module, left, top }: Layout,
  logo: Pixels,
) {
  const scale = module * Math.min(box.width / logo.width, box.height / logo.height) || 1
  const [wide, high] = [Math.round(logo.width * scale), Math.round(logo.height * scale)]
  const { width, height, data } = resize(logo, Math.max(1, wide), Math.max(1, high))
  return {
    left: Math.round(left + module * (box.x + box.width / 2) - wide / 2),
    top: Math.round(top + module * (box.y + box.height / 2) - high / 2),
    width,
    height,
    words: new Int32Array(data.buffer),
  }
}

/** Draws the logo's rows that lie in a band. */
function drawLogo(
  logo: ReturnType<typeof placedLogo>,
  words: Int32Array,
  width: number,
  top: number,
) {
  const rows = words.length / width
  const end = Math.min(logo.height, top + rows - logo.top)
  for (let y = Math.max(0, top - logo.top); y < end; y++) {
    const line = (logo.top + y - top) * width + logo.left
    for (let x = 0; x < logo.width; x++) {
      const word = logo.words[y * logo.width + x] as number
      const alpha = word >>> 24
      if (alpha === 255) words[line + x] = word
      else if (alpha > 0) words[line + x] = over(words[line + x] as number, word, alpha / 255)
    }
  }
}
