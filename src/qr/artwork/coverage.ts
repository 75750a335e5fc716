import type { Corner, Pen } from '../formats/outline.ts'

/** Steps of how much of a pixel a shape covers. */
export const COVERED = 15

/** Straight lines that a quarter circle or a curve becomes: at most this many pixels off, a tenth. */
const LINES_MIN = 3
const LINES_MAX = 48

/**
 * Which part of each pixel some closed lines cover, exactly: each line leaves in each pixel that it
 * crosses the signed area on its right, and the sum from the left is what is covered. Clockwise lines
 * cover, the others take away. A pen with which shapes are drawn; `scale` pixels are one of its units.
 */
export class Coverage implements Pen {
  readonly #width: number
  readonly #height: number
  readonly #areas: Float32Array
  #scale = 1
  #left = 0
  #top = 0
  #atX = 0
  #atY = 0
  #startX = 0
  #startY = 0
  #from = 0
  #to = 0

  /** @param width of the picture in pixels @param height of the rows that are drawn at once */
  constructor(width: number, height: number) {
    this.#width = width
    this.#height = height
    this.#areas = new Float32Array((width + 2) * height)
  }

  /** Forgets all, and takes units of `scale` pixels from this place on; the place is in pixels. */
  begin(scale: number, left: number, top: number) {
    this.#areas.fill(0)
    this.#scale = scale
    this.#left = left
    this.#top = top
    this.#from = this.#height
    this.#to = 0
  }

  move(x: number, y: number) {
    this.#startX = this.#atX = this.#left + x * this.#scale
    this.#startY = this.#atY = this.#top + y * this.#scale
  }

  line(x: number, y: number) {
    this.#lineTo(this.#left + x * this.#scale, this.#top + y * this.#scale)
  }

  arc(x: number, y: number, { radius, x: cornerX, y: cornerY }: Corner) {
    // A quarter ellipse by its two tangents' meeting point: centre = both ends - corner.
    const [startX, startY] = [this.#atX, this.#atY]
    const [meetX, meetY] = [this.#left + cornerX * this.#scale, this.#top + cornerY * this.#scale]
    const [endX, endY] = [this.#left + x * this.#scale, this.#top + y * this.#scale]
    const [centreX, centreY] = [startX + endX - meetX, startY + endY - meetY]
    const lines = linesFor(radius * this.#scale)
    for (let step = 1; step < lines; step++) {
      const angle = (step / lines) * (Math.PI / 2)
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
      this.#lineTo(
        centreX + (startX - centreX) * cos + (endX - centreX) * sin,
        centreY + (startY - centreY) * cos + (endY - centreY) * sin,
      )
    }
    this.#lineTo(endX, endY)
  }

  curve(x1: number, y1: number, x2: number, y2: number, x: number, y: number) {
    const scaled = (at: number, from: number) => from + at * this.#scale
    const [startX, startY] = [this.#atX, this.#atY]
    const [oneX, oneY] = [scaled(x1, this.#left), scaled(y1, this.#top)]
    const [twoX, twoY] = [scaled(x2, this.#left), scaled(y2, this.#top)]
    const [endX, endY] = [scaled(x, this.#left), scaled(y, this.#top)]
    const lines = linesFor(Math.hypot(endX - startX, endY - startY))
    for (let step = 1; step <= lines; step++) {
      const after = step / lines
      const before = 1 - after
      const [a, b] = [before ** 3, 3 * before ** 2 * after]
      const [c, d] = [3 * before * after ** 2, after ** 3]
      this.#lineTo(
        a * startX + b * oneX + c * twoX + d * endX,
        a * startY + b * oneY + c * twoY + d * endY,
      )
    }
  }

  close() {
    this.#lineTo(this.#startX, this.#startY)
  }

  /**
   * Hands over the rows that something was drawn in: for each pixel 0 (nothing) to COVERED (all).
   * The array is the same each time.
   */
  rows(take: (row: Uint8Array, y: number) => void) {
    const row = new Uint8Array(this.#width)
    for (let y = this.#from; y < this.#to; y++) {
      let [sum, covered] = [0, 0]
      const start = y * (this.#width + 2)
      for (let x = 0; x < this.#width; x++) {
        const area = this.#areas[start + x] as number
        // Most pixels are as covered as their neighbours.
        if (area !== 0) {
          sum += area
          covered = Math.min(COVERED, Math.abs(sum) * COVERED + 0.5)
        }
        row[x] = covered
      }
      take(row, y)
    }
  }

  #lineTo(x: number, y: number) {
    const [fromX, fromY] = [this.#atX, this.#atY]
    this.#atX = x
    this.#atY = y
    if (fromY === y) return
    if (fromY < y) this.#down(fromX, fromY, x, y, -1)
    else this.#down(x, y, fromX, fromY, 1)
  }

  /** A line from its upper to its lower end; rows above and below the band are left out. */
  #down(x0: number, y0: number, x1: number, y1: number, sign: 1 | -1) {
    const top = Math.max(0, y0)
    const bottom = Math.min(this.#height, y1)
    if (top >= bottom) return
    const slope = (x1 - x0) / (y1 - y0)
    const last = Math.ceil(bottom)
    const first = Math.floor(top)
    if (first < this.#from) this.#from = first
    if (last > this.#to) this.#to = last
    let x = x0 + (top - y0) * slope
    for (let y = first; y < last; y++) {
      const tall = Math.min(y + 1, bottom) - Math.max(y, top)
      const after = x + slope * tall
      this.#cross(y * (this.#width + 2), Math.min(x, after), Math.max(x, after), sign * tall)
      x = after
    }
  }

  /** What a piece of a line within one row covers to its right. */
  #cross(row: number, left: number, right: number, area: number) {
    const areas = this.#areas
    const from = Math.max(0, Math.min(this.#width, left))
    const to = Math.max(0, Math.min(this.#width, right))
    const first = Math.floor(from)
    const end = Math.ceil(to)
    if (end <= first + 1) {
      const share = area * ((from + to) / 2 - first)
      areas[row + first] = (areas[row + first] as number) + area - share
      areas[row + first + 1] = (areas[row + first + 1] as number) + share
      return
    }
    // The running sum's share of the line that lies left of a pixel's right edge, integrated over it.
    const each = area / (to - from)
    let before = 0
    for (let x = first; x < end; x++) {
      const [in0, in1] = [Math.max(from, x), Math.min(to, x + 1)]
      const covered = each * (in1 - in0) * (x + 1 - (in0 + in1) / 2) + each * (in0 - from)
      areas[row + x] = (areas[row + x] as number) + covered - before
      before = covered
    }
    areas[row + end] = (areas[row + end] as number) + area - before
  }
}

function linesFor(length: number): number {
  return Math.max(LINES_MIN, Math.min(LINES_MAX, Math.ceil(2 * Math.sqrt(length))))
}
