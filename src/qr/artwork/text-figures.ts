import type { Pen } from '../formats/outline.ts'
import { advanceOf, lettersOf, UnknownLetter } from './letters.ts'

/** A step of an outline, in sizes from the left of the baseline, y down; `q` is a curve by one handle. */
type Step = Point & { readonly kind: 'm' | 'l' | 'q'; readonly handle: Point }
type Point = { readonly x: number; readonly y: number }

/**
 * Outlines by the code point of their letter in hexadecimal, or by a number below 0 if several letters
 * consist of them: the steps of its own path, in thousandths of the size from the left of the baseline, y
 * down; and what else it consists of: which path, and how far it is moved.
 */
type Outlines = ReadonlyMap<string, string>
let loaded: Outlines | undefined
/** How far the second of two letters moves, in thousandths of the size. */
const kerns = new Map<string, number>()

/** Loads the outlines of letters. Await it before a text is drawn. */
export async function loadLetters(): Promise<void> {
  if (loaded) return
  const { default: letters } = await import('./letter-outlines.json', { with: { type: 'json' } })
  readKerning(letters.kerning)
  loaded = new Map(
    letters.outlines.map((line): [string, string] => {
      const end = line.indexOf(' ')
      return [line.slice(0, end), line.slice(end + 1)]
    }),
  )
}

/** A line has letters, how far in thousandths of the size they move the letters after them, and these. */
function readKerning(lines: string[]) {
  for (const line of lines) {
    const [firsts = '', distance, seconds = ''] = line.split(' ')
    for (const first of firsts) {
      for (const second of seconds) kerns.set(first + second, Number(distance))
    }
  }
}

/** A line of text: where its middle is, its baseline, and the size of its letters. */
export interface TextLine {
  readonly text: string
  readonly middle: number
  readonly baseline: number
  readonly size: number
}

/**
 * A text as closed lines, one for each letter.
 *
 * @throws UnknownLetter; Error before `loadLetters`
 */
export function textFigures({ text, middle, baseline, size }: TextLine): ((pen: Pen) => void)[] {
  const placed = placesOf(text)
  const start = middle - (placed.width * size) / 2
  return placed.letters.flatMap(({ letter, left }) => {
    const steps = stepsOf(letter)
    if (steps.length === 0) return []
    return [(pen: Pen) => draw(steps, pen, start + left * size, baseline, size)]
  })
}

/** Where each letter of a text of size 1 begins, and where the last one ends. */
function placesOf(text: string) {
  let [width, before] = [0, '']
  const letters = lettersOf(text).map((letter) => {
    const left = width + (kerns.get(before + letter) ?? 0) / UNITS
    width = left + advanceOf(letter)
    before = letter
    return { letter, left }
  })
  return { width, letters }
}

const parsed = new Map<string, Step[]>()

function stepsOf(letter: string): Step[] {
  const known = parsed.get(letter)
  if (known) return known
  if (!loaded) throw new Error('The outlines of letters are not loaded: wait for loadLetters first')
  const line = loaded.get((letter.codePointAt(0) as number).toString(16))
  if (line === undefined) throw new UnknownLetter(letter)
  const steps = parse(line, loaded, 0, 0)
  parsed.set(letter, steps)
  return steps
}

const UNITS = 1000

function parse(line: string, outlines: Outlines, left: number, top: number): Step[] {
  const [path = '', ...parts] = line.split('|')
  const steps: Step[] = []
  for (const contour of path.split(' m')) steps.push(...contourSteps(contour, left, top))
  for (const part of parts) {
    const [name = '', x, y] = part.split(' ')
    steps.push(...parse(outlines.get(name) ?? '', outlines, left + Number(x), top + Number(y)))
  }
  return steps
}

/** Each contour begins at its absolute place; what follows is relative. */
function contourSteps(contour: string, left: number, top: number): Step[] {
  const place = (x: number, y: number) => ({ x: (left + x) / UNITS, y: (top + y) / UNITS })
  let [x, y] = [0, 0]
  return (contour.match(/[mlhvq]?[-\d\s]+/g) ?? []).map((word): Step => {
    const kind = /[a-z]/.test(word) ? word.charAt(0) : 'm'
    const [a = 0, b = 0, c = 0, d = 0] = (word.match(/-?\d+/g) ?? []).map(Number)
    if (kind === 'q') {
      const handle = place(x + a, y + b)
      ;[x, y] = [x + c, y + d]
      return { kind, handle, ...place(x, y) }
    }
    ;[x, y] = kind === 'h' ? [x + a, y] : kind === 'v' ? [x, y + a] : [x + a, y + b]
    const end = place(x, y)
    return { kind: kind === 'm' ? 'm' : 'l', handle: end, ...end }
  })
}

function draw(steps: readonly Step[], pen: Pen, left: number, baseline: number, size: number) {
  const [right, down] = [(x: number) => left + x * size, (y: number) => baseline + y * size]
  let [atX, atY] = [0, 0]
  steps.forEach((step, index) => {
    const [x, y] = [right(step.x), down(step.y)]
    if (step.kind === 'm') {
      if (index > 0) pen.close()
      pen.move(x, y)
    } else if (step.kind === 'l') pen.line(x, y)
    else {
      // A quadratic curve as a cubic one: its handles are two thirds of the way to the one handle.
      const [handleX, handleY] = [right(step.handle.x), down(step.handle.y)]
      const toward = (from: number, to: number) => from + ((to - from) * 2) / 3
      pen.curve(
        ...([toward(atX, handleX), toward(atY, handleY)] as const),
        ...([toward(x, handleX), toward(y, handleY)] as const),
        ...([x, y] as const),
      )
    }
    ;[atX, atY] = [x, y]
  })
  if (steps.length > 0) pen.close()
}

/** How high a text of size 1 stands above its baseline. @throws as `textFigures` does */
export function heightOfText(text: string): number {
  const tops = lettersOf(text).flatMap((letter) => stepsOf(letter).map(({ y }) => -y))
  return Math.max(0, ...tops)
}
