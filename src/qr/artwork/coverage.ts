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
  /** A bit a pixel of each row: set where a line crosses it */
  readonly #crossed: Int32Array
  /** Words that a row's bits take */
  readonly #chunks: number
  readonly #runs: Int32Array
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
    this.#chunks = (width + 33) >> 5
    this.#crossed = new Int32Array(this.#chunks * height)
    this.#runs = new Int32Array(3 * (width + 1))
  }

  /** Takes units of `scale` pixels from this place on; the place is in pixels. */
  begin(scale: number, left: number, top: number) {
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
    // A quarter ellipse by its two tangents' meeting point: center = both ends - corner.
    const endX = this.#left + x * this.#scale
    const endY = this.#top + y * this.#scale
    const centreX = this.#atX + endX - (this.#left + cornerX * this.#scale)
    const centreY = this.#atY + endY - (this.#top + cornerY * this.#scale)
    const fromX = this.#atX - centreX
    const fromY = this.#atY - centreY
    const lines = linesFor(radius * this.#scale)
    const turns = turnsOf(lines)
    for (let step = 1; step < lines; step++) {
      const cos = turns[step] as number
      const sin = turns[lines - step] as number
      this.#lineTo(
        centreX + fromX * cos + (endX - centreX) * sin,
        centreY + fromY * cos + (endY - centreY) * sin,
      )
    }
    this.#lineTo(endX, endY)
  }

  curve(x1: number, y1: number, x2: number, y2: number, x: number, y: number) {
    const [left, top, scale] = [this.#left, this.#top, this.#scale]
    const [startX, startY] = [this.#atX, this.#atY]
    const [oneX, oneY] = [left + x1 * scale, top + y1 * scale]
    const [twoX, twoY] = [left + x2 * scale, top + y2 * scale]
    const [endX, endY] = [left + x * scale, top + y * scale]
    const lines = linesFor(Math.hypot(endX - startX, endY - startY))
    for (let step = 1; step <= lines; step++) {
      const after = step / lines
      const before = 1 - after
      const a = before * before * before
      const b = 3 * before * before * after
      const c = 3 * before * after * after
      const d = after * after * after
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
   * Hands over the rows that something was drawn in, and forgets them. A row is runs of three numbers:
   * where it begins, where it ends, and how much of each of its pixels is covered, 1 to COVERED. What
   * is not covered is in no run. The array is the same each time.
   */
  rows(take: (runs: Int32Array, length: number, y: number) => void) {
    for (let y = this.#from; y < this.#to; y++) {
      const length = this.#readRow(y)
      if (length > 0) take(this.#runs, length, y)
    }
  }

  #readRow(y: number): number {
    const areas = this.#areas
    const crossed = this.#crossed
    const runs = this.#runs
    const width = this.#width
    const start = y * (width + 2)
    let length = 0
    let sum = 0
    let from = 0
    let before = 0
    const marks = y * this.#chunks
    for (let chunk = 0; chunk < this.#chunks; chunk++) {
      let bits = crossed[marks + chunk] as number
      if (bits === 0) continue
      crossed[marks + chunk] = 0
      for (; bits !== 0; bits &= bits - 1) {
        const x = 32 * chunk + 31 - Math.clz32(bits & -bits)
        // Beyond the crossed pixel all are covered as its sum says, up to the next one.
        sum += areas[start + x] as number
        areas[start + x] = 0
        if (x >= width) break
        const share = (sum < 0 ? -sum : sum) * COVERED + 0.5
        const covered = share < COVERED ? share | 0 : COVERED
        if (covered === before) continue
        if (before > 0) {
          runs[length++] = from
          runs[length++] = x
          runs[length++] = before
        }
        from = x
        before = covered
      }
    }
    if (before > 0) {
      runs[length++] = from
      runs[length++] = width
      runs[length++] = before
    }
    return length
  }

  #lineTo(x: number, y: number) {
    const fromX = this.#atX
    const fromY = this.#atY
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
      if (x < after) this.#cross(y, x, after, sign * tall)
      else this.#cross(y, after, x, sign * tall)
      x = after
    }
  }

  /** Adds the area that a piece of a line within one row covers to its right. */
  #cross(y: number, left: number, right: number, area: number) {
    const width = this.#width
    const row = y * (width + 2)
    const from = Math.max(0, Math.min(width, left))
    const to = Math.max(0, Math.min(width, right))
    const first = Math.floor(from)
    if (to <= first + 1) {
      const share = area * ((from + to) / 2 - first)
      this.#add(y, row, first, area - share)
      this.#add(y, row, first + 1, share)
      return
    }
    // The running sum's share of the line that lies left of a pixel's right edge, integrated over it.
    const each = area / (to - from)
    let before = 0
    let x = first
    for (; x < to; x++) {
      const in0 = Math.max(from, x)
      const in1 = Math.min(to, x + 1)
      const covered = each * (in1 - in0) * (x + 1 - (in0 + in1) / 2) + each * (in0 - from)
      this.#add(y, row, x, covered - before)
      before = covered
    }
    this.#add(y, row, x, area - before)
  }

  #add(y: number, row: number, x: number, area: number) {
    this.#areas[row + x] = (this.#areas[row + x] as number) + area
    const chunk = y * this.#chunks + (x >> 5)
    this.#crossed[chunk] = (this.#crossed[chunk] as number) | (1 << (x & 31))
  }
}

/** How far down closed lines begin and end. */
export function extentOf(draw: (pen: Pen) => void): { top: number; bottom: number } {
  let [top, bottom] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const reach = (_x: number, y: number) => {
    if (y < top) top = y
    if (y > bottom) bottom = y
  }
  const curve: Pen['curve'] = (x1, y1, x2, y2, x, y) => {
    reach(x1, y1)
    reach(x2, y2)
    reach(x, y)
  }
  draw({ move: reach, line: reach, arc: reach, curve, close() {} })
  return { top, bottom }
}

function linesFor(length: number): number {
  return Math.max(LINES_MIN, Math.min(LINES_MAX, Math.ceil(2 * Math.sqrt(length))))
}

/** The cosines of a quarter turn in `lines` steps; backwards they are its sines. */
function turnsOf(lines: number): Float64Array {
  const known = turns[lines]
  if (known) return known
  const made = Float64Array.from({ length: lines + 1 }, (_, step) =>
    Math.cos((step / lines) * (Math.PI / 2)),
  )
  turns[lines] = made
  return made
}

/** By the number of lines, at most LINES_MAX. */
const turns: (Float64Array | undefined)[] = []
