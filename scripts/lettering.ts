/**
 * Draws the letters of frames: src/qr/artwork/letter-widths.json and letter-outlines.json. They come from
 * Inter Bold (SIL Open Font License 1.1) by the package @fontsource/inter 5.3.0, which fontkit 2.0.4
 * reads. To be run again for more letters, after
 * `npm install --no-save @fontsource/inter@5.3.0 fontkit@2.0.4`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const FOLDER = new URL('../src/qr/artwork/', import.meta.url)
const subsets = ['latin', 'latin-ext', 'vietnamese', 'greek', 'cyrillic', 'cyrillic-ext']

/** Latin, Greek, Cyrillic, and the signs that calls to action have. Accents of their own are left out. */
// biome-ignore format: a table
const ranges = [
  [0x20, 0x7e], [0xa0, 0xac], [0xae, 0x17f], [0x192, 0x192], [0x1a0, 0x1b0], [0x1cd, 0x1dc],
  [0x1e6, 0x1e7], [0x218, 0x21b], [0x2b9, 0x2bc], [0x384, 0x3ce], [0x400, 0x482], [0x48a, 0x52f],
  [0x1e80, 0x1e85], [0x1e9e, 0x1e9e], [0x1ea0, 0x1ef9], [0x2010, 0x2026], [0x2030, 0x203a],
  [0x2044, 0x2044], [0x20a0, 0x20c0], [0x2116, 0x2122], [0x2190, 0x2193], [0x2212, 0x2212],
] as const
const isWanted = (code: number) => ranges.some(([first, last]) => code >= first && code <= last)

/** ↑ */
const ARROW_UP = 0x2191

/** Outlines are in thousandths of the size of the letters. */
const UNITS = 1000

/** The parts of fontkit's types that are read here. */
type Font = {
  unitsPerEm: number
  capHeight: number
  characterSet: number[]
  glyphForCodePoint: (code: number) => Glyph
  getGlyph: (number: number) => Glyph
  GPOS: {
    featureList: { tag: string; feature: { lookupListIndexes: number[] } }[]
    lookupList: { toArray: () => { subTables: (PairTable & { extension?: PairTable })[] }[] }
  }
  layout: (text: string) => unknown
  _layoutEngine: { engine: { GPOSProcessor: Tables } }
}
type Glyph = {
  id: number
  advanceWidth: number
  _decode: () => { points?: (Point & { endContour: boolean })[]; components?: Component[] } | null
}
type Point = { x: number; y: number; onCurve: boolean }
type Component = { glyphID: number; dx: number; dy: number; scaleX: number; scaleY: number }
type Tables = {
  coverageIndex: (coverage: object, glyph: number) => number
  getClassID: (glyph: number, classes: object) => number
}
/** GPOS, pair adjustment: by pairs of glyphs, or by pairs of their classes. */
type PairTable = { coverage: object } & (
  | { version: 1; pairSets: List<(Pair & { secondGlyph: number })[]> }
  | { version: 2; classDef1: object; classDef2: object; classRecords: List<List<Pair>> }
)
type List<Item> = { get: (index: number) => Item }
type Pair = { value1?: { xAdvance?: number } }

const scaleOf = (font: Font) => UNITS / font.unitsPerEm

function contoursOf(glyph: Glyph): Point[][] {
  const contours: Point[][] = [[]]
  for (const point of glyph._decode()?.points ?? []) {
    contours.at(-1)?.push(point)
    if (point.endContour) contours.push([])
  }
  return contours.slice(0, -1)
}

/**
 * A contour as steps of a path, y down: l, h and v to where the pen goes, q to there by a handle. Between
 * two points that are off the line, TrueType has one on it in their middle.
 */
function pathOf(points: Point[], scale: number): string {
  const placed = points
    .map(({ x, y, onCurve }) => ({ x: x * scale, y: -y * scale, onCurve }))
    .reverse()
  const whole = placed.flatMap((point, index) => {
    const next = placed[(index + 1) % placed.length] as Point
    if (point.onCurve || next.onCurve) return [point]
    return [point, { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2, onCurve: true }]
  })
  const first = whole.findIndex(({ onCurve }) => onCurve)
  const turned = [...whole.slice(first), ...whole.slice(0, first + 1)]
  let [atX, atY] = [0, 0]
  const step = ({ x, y }: Point) => [Math.round(x) - atX, Math.round(y) - atY] as [number, number]
  const go = ([dx, dy]: [number, number]) => {
    ;[atX, atY] = [atX + dx, atY + dy]
  }
  const words: string[] = []
  turned.forEach((point, index) => {
    const before = turned[index - 1]
    if (!point.onCurve) return
    const [dx, dy] = step(point)
    if (!before) words.push(`m${dx} ${dy}`)
    else if (!before.onCurve) words.push(`q${step(before).join(' ')} ${dx} ${dy}`)
    else if (dx === 0 && dy === 0) return
    else words.push(dy === 0 ? `h${dx}` : dx === 0 ? `v${dy}` : `l${dx} ${dy}`)
    go([dx, dy])
  })
  return words.join('').replaceAll(' -', '-')
}

/** The drawing of a character: its own path, and paths of others at a place. */
type Drawn = { width: number; path: string; parts: { path: string; x: number; y: number }[] }

function drawnOf(font: Font, glyph: Glyph): Drawn {
  const scale = scaleOf(font)
  const parts: Drawn['parts'] = []
  const flat = (each: Glyph, x: number, y: number): string => {
    const path = contoursOf(each)
      .map((points) => pathOf(points, scale))
      .join(' ')
    if (path && (x !== 0 || y !== 0 || each.id !== glyph.id)) {
      parts.push({ path, x: Math.round(x * scale), y: Math.round(-y * scale) })
    }
    for (const { glyphID, dx, dy, scaleX, scaleY } of each._decode()?.components ?? []) {
      if (scaleX !== 1 || scaleY !== 1) throw new Error(`Glyph ${glyphID} is scaled`)
      flat(font.getGlyph(glyphID), x + dx, y + dy)
    }
    return path
  }
  const path = flat(glyph, 0, 0)
  return { width: Math.round(glyph.advanceWidth * scale), path, parts }
}

/** Inter's other arrows are not among the packaged letters: ↑ turned to the right is →, and to the left ←. */
function turned(font: Font, up: Glyph, to: 'right' | 'left'): Drawn {
  const scale = scaleOf(font)
  const contours = contoursOf(up)
  const points = contours.flat()
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const middle = (values: number[]) => (Math.min(...values) + Math.max(...values)) / 2
  const bearing = Math.min(...xs)
  const width = Math.max(...ys) - Math.min(...ys) + 2 * bearing
  const sign = to === 'right' ? 1 : -1
  const placed = contours.map((contour) =>
    contour.map(({ x, y, onCurve }) => ({
      x: width / 2 + sign * (y - middle(ys)),
      y: middle(ys) - sign * (x - middle(xs)),
      onCurve,
    })),
  )
  const path = placed.map((contour) => pathOf(contour, scale)).join(' ')
  return { width: Math.round(width * scale), path, parts: [] }
}

/** How far a glyph moves after another one, by the lookups of the feature kern. */
function kerningOf(font: Font) {
  const { GPOS } = font
  // The layout reads the tables.
  font.layout('A')
  const tables = font._layoutEngine.engine.GPOSProcessor
  const kern = GPOS.featureList.filter(({ tag }) => tag === 'kern')
  const numbers = new Set(kern.flatMap(({ feature }) => feature.lookupListIndexes))
  const lookups = GPOS.lookupList.toArray().filter((_, index) => numbers.has(index))
  const pairIn = (table: PairTable, one: number, other: number): Pair | undefined => {
    const index = tables.coverageIndex(table.coverage, one)
    if (index < 0) return undefined
    if (table.version === 1) {
      const pairs = table.pairSets.get(index)
      return pairs.find(({ secondGlyph }) => secondGlyph === other)
    }
    const first = table.classRecords.get(tables.getClassID(one, table.classDef1))
    return first.get(tables.getClassID(other, table.classDef2))
  }
  return (one: Glyph, other: Glyph) =>
    lookups.reduce((sum, { subTables }) => {
      for (const table of subTables) {
        const pair = pairIn(table.extension ?? table, one.id, other.id)
        if (pair) return sum + (pair.value1?.xAdvance ?? 0)
      }
      return sum
    }, 0)
}

/** Less than this is not seen; in thousandths of the size. */
const KERNING_LEAST = 12
const isKerned = (code: number) => isWanted(code) && /[\p{L}.,’]/u.test(String.fromCodePoint(code))

/** Lines with a distance, the letters before and the letters after which it comes. */
function kerningLines(font: Font): string[] {
  const between = kerningOf(font)
  const scale = scaleOf(font)
  const letters = font.characterSet
    .filter(isKerned)
    .map((code) => [code, font.glyphForCodePoint(code)] as const)
  const afterwards = new Map<string, string>()
  for (const [code, glyph] of letters) {
    const own = new Map<number, string>()
    for (const [next, other] of letters) {
      const distance = Math.round(between(glyph, other) * scale)
      if (Math.abs(distance) < KERNING_LEAST) continue
      own.set(distance, (own.get(distance) ?? '') + String.fromCodePoint(next))
    }
    for (const [distance, after] of own) {
      const key = `${distance} ${after}`
      afterwards.set(key, (afterwards.get(key) ?? '') + String.fromCodePoint(code))
    }
  }
  return [...afterwards].map(([key, first]) => `${first} ${key}`)
}

const drawn = new Map<number, Drawn>()
const kerned: string[] = []
const require = createRequire(import.meta.url)
const { create } = require('fontkit')
let capitals = 0
for (const subset of subsets) {
  const file = readFileSync(
    require.resolve(`@fontsource/inter/files/inter-${subset}-700-normal.woff`),
  )
  const font: Font = create(file)
  capitals = font.capHeight / font.unitsPerEm
  if (!subset.includes('ext') && subset !== 'vietnamese') kerned.push(...kerningLines(font))
  for (const code of font.characterSet) {
    const glyph = font.glyphForCodePoint(code)
    if (isWanted(code) && !drawn.has(code)) drawn.set(code, drawnOf(font, glyph))
    if (code === ARROW_UP) {
      drawn.set(0x2190, turned(font, glyph, 'left'))
      drawn.set(0x2192, turned(font, glyph, 'right'))
    }
  }
}

const sorted = [...drawn].sort(([a], [b]) => a - b)

/** Paths that several letters have, by a name: the letter's that is just this path, or a number. */
const names = new Map<string, string>()
for (const [code, { path }] of sorted)
  if (path) names.set(path, names.get(path) ?? code.toString(16))
const shared: string[] = []
for (const { path } of sorted.flatMap(([, { parts }]) => parts)) {
  if (names.has(path)) continue
  names.set(path, `-${shared.length}`)
  shared.push(`-${shared.length} ${path}`)
}

const lines = sorted.map(([code, { path, parts }]) => {
  const placed = parts.map((part) => `|${names.get(part.path)} ${part.x} ${part.y}`)
  return `${code.toString(16)} ${path}${placed.join('')}`
})

/** Widths of letters that follow one another, after the first one's code point. */
const runs: string[] = []
let before = Number.NaN
for (const [code, { width }] of sorted) {
  if (code === before + 1) runs.push(`${runs.pop()} ${width}`)
  else runs.push(`${code.toString(16)} ${width}`)
  before = code
}

const source =
  'Made by scripts/lettering.ts from Inter Bold, Copyright 2016 The Inter Project Authors: SIL Open Font License 1.1, OFL.txt.'

function write(name: string, data: object): void {
  writeFileSync(new URL(name, FOLDER), `${JSON.stringify(data, null, 2)}\n`)
}

write('letter-widths.json', { source, capHeight: Number(capitals.toFixed(4)), widths: runs })
write('letter-outlines.json', { source, outlines: [...shared, ...lines], kerning: kerned })
console.log(`${drawn.size} letters and signs, ${shared.length} shared parts`)
