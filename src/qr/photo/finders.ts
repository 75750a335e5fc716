import type { Grey } from './brightness.ts'

/** The middle of a finder pattern, and about how wide a module is, in pixels. */
export type Finder = { x: number; y: number; module: number }

/** The widths of a finder pattern's stripes through its middle, in modules (ISO/IEC 18004:2024, 6.3.3). */
const STRIPES = [1, 1, 3, 1, 1] as const
const MODULES = 7
/** How far a stripe may be from its width, in modules: a lens, a slant and a rounded corner change it. */
const TOLERANCE = 0.75

/**
 * The finder patterns in a photo, also turned ones: a line through their middle has the same stripes in
 * every direction. Some of them may be chance.
 */
export function findersIn(grey: Grey): Finder[] {
  const dark = darkIn(grey)
  const found: { finder: Finder; times: number }[] = []
  for (let y = 0; y < grey.height; y++) {
    for (const middle of stripesOf(lineAt(dark, y * grey.width, 1, grey.width))) {
      const across = { x: middle.at, y, module: middle.module }
      const finder = confirmed(dark, grey, across)
      if (!finder) continue
      const known = found.find((one) => isSame(one.finder, finder))
      if (known) known.times++
      else found.push({ finder, times: 1 })
    }
  }
  // The middle square is three modules high: a single line through it is chance.
  return found
    .filter(({ finder, times }) => times >= Math.max(2, finder.module))
    .map(({ finder }) => finder)
}

const isSame = (one: Finder, other: Finder) =>
  Math.hypot(one.x - other.x, one.y - other.y) < 3 * one.module

/** The finder pattern, if the lines down and aslant through its middle have the same stripes. */
function confirmed(dark: Uint8Array, { width, height }: Grey, across: Finder): Finder | undefined {
  const column = Math.round(across.x)
  const down = stripesOf(lineAt(dark, column, width, height)).find(
    ({ at, module }) =>
      Math.abs(at - across.y) < 1.5 * module &&
      module < 1.6 * across.module &&
      across.module < 1.6 * module,
  )
  if (!down) return undefined
  const module = (across.module + down.module) / 2
  const row = Math.round(down.at)
  const before = Math.min(column, row)
  const start = (row - before) * width + column - before
  const length = before + Math.min(width - column, height - row)
  // The line aslant through a turned pattern is shorter, down to a half at 45 degrees.
  const aslant = stripesOf(lineAt(dark, start, width + 1, length)).some(
    (one) => Math.abs(one.at - before) < 1.5 * module && one.module < 1.6 * module,
  )
  return aslant ? { x: across.x, y: down.at, module } : undefined
}

/** How far around a pixel is looked for what is light and dark there, as a share of the longer edge. */
const AROUND = 1 / 16
/** So much darker than around it is dark. */
const DARKER = 0.92

/** Which pixels are dark beside those around them: light falls unevenly on a print. */
function darkIn({ width, height, data }: Grey): Uint8Array {
  const reach = Math.max(4, Math.round(AROUND * Math.max(width, height)))
  const sums = summed({ width, height, data })
  const dark = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const [top, bottom] = [Math.max(0, y - reach), Math.min(height, y + reach + 1)]
    for (let x = 0; x < width; x++) {
      const [left, right] = [Math.max(0, x - reach), Math.min(width, x + reach + 1)]
      const sum =
        (sums[bottom * (width + 1) + right] as number) -
        (sums[bottom * (width + 1) + left] as number) -
        (sums[top * (width + 1) + right] as number) +
        (sums[top * (width + 1) + left] as number)
      const mean = sum / ((bottom - top) * (right - left))
      dark[y * width + x] = (data[y * width + x] as number) < DARKER * mean ? 1 : 0
    }
  }
  return dark
}

/** Sums of all that is above and left of a corner of the pixels' grid. */
function summed({ width, height, data }: Grey): Float64Array {
  const sums = new Float64Array((width + 1) * (height + 1))
  for (let y = 0; y < height; y++) {
    let row = 0
    for (let x = 0; x < width; x++) {
      row += data[y * width + x] as number
      sums[(y + 1) * (width + 1) + x + 1] = (sums[y * (width + 1) + x + 1] as number) + row
    }
  }
  return sums
}

type Run = { start: number; length: number; dark: number }

/** The runs of one kind along a line of pixels. */
export function runsAlong(line: Uint8Array): Run[] {
  const runs: Run[] = []
  line.forEach((dark, at) => {
    const last = runs.at(-1)
    if (last?.dark === dark) last.length++
    else runs.push({ start: at, length: 1, dark })
  })
  return runs
}

function lineAt(dark: Uint8Array, start: number, step: number, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => dark[start + at * step] as number)
}

/** Where along a line the stripes of a finder pattern are. */
function stripesOf(line: Uint8Array): { at: number; module: number }[] {
  const runs = runsAlong(line)
  const middles: { at: number; module: number }[] = []
  for (let first = 0; first + STRIPES.length <= runs.length; first++) {
    const stripes = runs.slice(first, first + STRIPES.length)
    if (stripes[0]?.dark !== 1) continue
    const whole = stripes.reduce((sum, { length }) => sum + length, 0)
    const module = whole / MODULES
    const isFinder = stripes.every(
      ({ length }, index) => Math.abs(length / module - (STRIPES[index] as number)) < TOLERANCE,
    )
    const core = stripes[2]
    if (isFinder && core) middles.push({ at: core.start + core.length / 2 - 0.5, module })
  }
  return middles
}

/** The four edges of a photo as lines of dark and light, a few pixels inside. */
export function edgesOf(grey: Grey): Uint8Array[] {
  const { width, height } = grey
  const dark = darkIn(grey)
  const inside = 2
  return [
    lineAt(dark, inside * width, 1, width),
    lineAt(dark, (height - 1 - inside) * width, 1, width),
    lineAt(dark, inside, width, height),
    lineAt(dark, width - 1 - inside, width, height),
  ]
}
