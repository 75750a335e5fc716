/**
 * Draws the letters of frames: src/qr/lettering/letter-widths.json and letter-outlines.json. They come from
 * Inter Bold (SIL Open Font License 1.1) by the package @fontsource/inter 5.3.0, whose files are WOFF 1.0
 * with TrueType outlines. To be run again for more letters, after
 * `npm install --no-save @fontsource/inter@5.3.0`. Section names are those of the OpenType specification.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { inflateSync } from 'node:zlib'

const FOLDER = new URL('../src/qr/lettering/', import.meta.url)
const subsets = ['latin', 'latin-ext', 'vietnamese', 'greek', 'cyrillic', 'cyrillic-ext']

/** Latin, Greek, Cyrillic, and the signs that calls to action have. Accents of their own are left out. */
const ranges: [first: number, last: number][] = [
  ...([
    [0x20, 0x7e],
    [0xa0, 0xac],
    [0xae, 0x17f],
    [0x192, 0x192],
    [0x1a0, 0x1b0],
  ] as const),
  ...([
    [0x1cd, 0x1dc],
    [0x1e6, 0x1e7],
    [0x218, 0x21b],
    [0x2b9, 0x2bc],
    [0x384, 0x3ce],
  ] as const),
  ...([
    [0x400, 0x482],
    [0x48a, 0x52f],
    [0x1e80, 0x1e85],
    [0x1e9e, 0x1e9e],
  ] as const),
  ...([
    [0x1ea0, 0x1ef9],
    [0x2010, 0x2026],
    [0x2030, 0x203a],
    [0x2044, 0x2044],
  ] as const),
  ...([
    [0x20a0, 0x20c0],
    [0x2116, 0x2122],
    [0x2190, 0x2193],
    [0x2212, 0x2212],
  ] as const),
].map(([first, last]) => [first, last])
const isWanted = (code: number) => ranges.some(([first, last]) => code >= first && code <= last)

/** ↑ */
const ARROW_UP = 0x2191

/** Outlines are in thousandths of the size of the letters. */
const UNITS = 1000

type Tables = Record<string, Buffer>
type Point = { x: number; y: number; isOn: boolean }
/** Its own contours, and other glyphs that it consists of */
type Glyph = { contours: Point[][]; parts: { glyph: number; x: number; y: number }[] }

/** WOFF 1.0 §4: a directory of tables, each deflated where that is shorter. */
function tablesOf(file: Buffer): Tables {
  const count = file.readUInt16BE(12)
  const entries = Array.from({ length: count }, (_, index) => {
    const at = 44 + 20 * index
    const [offset, packed, length] = [4, 8, 12].map((field) => file.readUInt32BE(at + field))
    const bytes = file.subarray(offset, (offset as number) + (packed as number))
    const table = (packed as number) < (length as number) ? inflateSync(bytes) : bytes
    return [file.toString('latin1', at, at + 4), table] as const
  })
  return Object.fromEntries(entries)
}

function table(tables: Tables, name: string): Buffer {
  const found = tables[name]
  if (!found) throw new Error(`The font has no table ${name}`)
  return found
}

/** cmap, format 4: glyph numbers by code point. */
function glyphNumbers(tables: Tables): Map<number, number> {
  const cmap = table(tables, 'cmap')
  const starts = Array.from({ length: cmap.readUInt16BE(2) }, (_, index) =>
    cmap.readUInt32BE(4 + 8 * index + 4),
  )
  const start = starts.find((at) => cmap.readUInt16BE(at) === 4)
  if (start === undefined) throw new Error('The font has no character map of format 4')
  const double = cmap.readUInt16BE(start + 6)
  const numbers = new Map<number, number>()
  for (let at = start + 14; at < start + 14 + double; at += 2) {
    const [last, first] = [cmap.readUInt16BE(at), cmap.readUInt16BE(at + double + 2)]
    const [delta, offsetAt] = [cmap.readUInt16BE(at + 2 * double + 2), at + 3 * double + 2]
    const offset = cmap.readUInt16BE(offsetAt)
    for (let code = first; code <= last && code < 0xffff; code++) {
      const listed = offset && cmap.readUInt16BE(offsetAt + offset + 2 * (code - first))
      if (offset && !listed) continue
      numbers.set(code, ((offset ? listed : code) + delta) & 0xffff)
    }
  }
  return numbers
}

/** glyf */
function glyphOf(tables: Tables, number: number): Glyph {
  const isLong = table(tables, 'head').readInt16BE(50) === 1
  const loca = table(tables, 'loca')
  const [start, end] = [number, number + 1].map((index) =>
    isLong ? loca.readUInt32BE(4 * index) : 2 * loca.readUInt16BE(2 * index),
  ) as [number, number]
  if (start === end) return { contours: [], parts: [] }
  const bytes = table(tables, 'glyf').subarray(start, end)
  const count = bytes.readInt16BE(0)
  return count < 0
    ? { contours: [], parts: partsOf(bytes) }
    : { contours: contoursOf(bytes, count), parts: [] }
}

/** glyf, "Simple Glyph Description" */
function contoursOf(bytes: Buffer, count: number): Point[][] {
  const ends = Array.from({ length: count }, (_, index) => bytes.readUInt16BE(10 + 2 * index))
  const length = (ends.at(-1) ?? -1) + 1
  let at = 10 + 2 * count
  at += 2 + bytes.readUInt16BE(at)
  const flags: number[] = []
  while (flags.length < length) {
    const flag = bytes.readUInt8(at++)
    const times = flag & 8 ? 1 + bytes.readUInt8(at++) : 1
    for (let time = 0; time < times; time++) flags.push(flag)
  }
  const coordinates = (short: number, same: number) => {
    let value = 0
    return flags.map((flag) => {
      if (flag & short) value += flag & same ? bytes.readUInt8(at) : -bytes.readUInt8(at)
      else if (!(flag & same)) value += bytes.readInt16BE(at)
      at += flag & short ? 1 : flag & same ? 0 : 2
      return value
    })
  }
  const xs = coordinates(2, 16)
  const ys = coordinates(4, 32)
  const points = flags.map((flag, index) => ({
    ...{ x: xs[index] as number, y: ys[index] as number, isOn: (flag & 1) === 1 },
  }))
  return ends.map((end, index) =>
    points.slice(index ? (ends[index - 1] as number) + 1 : 0, end + 1),
  )
}

/** glyf, "Composite Glyph Description" */
function partsOf(bytes: Buffer): Glyph['parts'] {
  const parts: Glyph['parts'] = []
  let [at, flags] = [10, 0x20]
  while (flags & 0x20) {
    flags = bytes.readUInt16BE(at)
    const glyph = bytes.readUInt16BE(at + 2)
    // Scales and places by points: a glyph with these would be drawn wrong.
    if (flags & 0xc8 || !(flags & 2)) throw new Error(`Glyph ${glyph} is placed in another way`)
    const isWide = flags & 1
    const [x, y] = isWide
      ? [bytes.readInt16BE(at + 4), bytes.readInt16BE(at + 6)]
      : [bytes.readInt8(at + 4), bytes.readInt8(at + 5)]
    parts.push({ glyph, x, y })
    at += isWide ? 8 : 6
  }
  return parts
}

/** hmtx */
function advanceOf(tables: Tables, number: number): number {
  const last = table(tables, 'hhea').readUInt16BE(34) - 1
  return table(tables, 'hmtx').readUInt16BE(4 * Math.min(number, last))
}

/**
 * A contour as steps of a path, y down: l, h and v to where the pen goes, q to there by a handle. Between
 * two points that are off the line, TrueType has one on it in their middle.
 */
function pathOf(points: Point[], scale: number): string {
  const placed = points.map(({ x, y, isOn }) => ({ x: x * scale, y: -y * scale, isOn })).reverse()
  const whole = placed.flatMap((point, index) => {
    const next = placed[(index + 1) % placed.length] as Point
    if (point.isOn || next.isOn) return [point]
    return [point, { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2, isOn: true }]
  })
  const first = whole.findIndex(({ isOn }) => isOn)
  const turned = [...whole.slice(first), ...whole.slice(0, first + 1)]
  let [atX, atY] = [0, 0]
  const step = ({ x, y }: Point) => [Math.round(x) - atX, Math.round(y) - atY] as [number, number]
  const go = ([dx, dy]: [number, number]) => {
    ;[atX, atY] = [atX + dx, atY + dy]
  }
  const words: string[] = []
  turned.forEach((point, index) => {
    const before = turned[index - 1]
    if (!point.isOn) return
    const [dx, dy] = step(point)
    if (!before) words.push(`m${dx} ${dy}`)
    else if (!before.isOn) words.push(`q${step(before).join(' ')} ${dx} ${dy}`)
    else if (dx === 0 && dy === 0) return
    else words.push(dy === 0 ? `h${dx}` : dx === 0 ? `v${dy}` : `l${dx} ${dy}`)
    go([dx, dy])
  })
  return words.join('').replaceAll(' -', '-')
}

/** What each character is drawn with: its own path, and paths of others at a place. */
type Drawn = { width: number; path: string; parts: { path: string; x: number; y: number }[] }

function drawnOf(tables: Tables, number: number): Drawn {
  const scale = UNITS / table(tables, 'head').readUInt16BE(18)
  const parts: Drawn['parts'] = []
  const flat = (glyph: number, x: number, y: number): string => {
    const { contours, parts: inner } = glyphOf(tables, glyph)
    const path = contours.map((points) => pathOf(points, scale)).join(' ')
    if (path && (x !== 0 || y !== 0 || glyph !== number)) {
      parts.push({ path, x: Math.round(x * scale), y: Math.round(-y * scale) })
    }
    for (const part of inner) flat(part.glyph, x + part.x, y + part.y)
    return path
  }
  const path = flat(number, 0, 0)
  return { width: Math.round(advanceOf(tables, number) * scale), path, parts }
}

/** Inter's other arrows are not among the packaged letters: ↑ turned to the right is →, and to the left ←. */
function turned(tables: Tables, up: number, to: 'right' | 'left'): Drawn {
  const scale = UNITS / table(tables, 'head').readUInt16BE(18)
  const { contours } = glyphOf(tables, up)
  const points = contours.flat()
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const middle = (values: number[]) => (Math.min(...values) + Math.max(...values)) / 2
  const bearing = Math.min(...xs)
  const width = Math.max(...ys) - Math.min(...ys) + 2 * bearing
  const sign = to === 'right' ? 1 : -1
  const placed = contours.map((contour) =>
    contour.map(({ x, y, isOn }) => ({
      x: width / 2 + sign * (y - middle(ys)),
      y: middle(ys) - sign * (x - middle(xs)),
      isOn,
    })),
  )
  const path = placed.map((contour) => pathOf(contour, scale)).join(' ')
  return { width: Math.round(width * scale), path, parts: [] }
}

/** Coverage tables: the index of each glyph that a rule is about. */
function coverageAt(bytes: Buffer, at: number): Map<number, number> {
  const count = bytes.readUInt16BE(at + 2)
  const found = new Map<number, number>()
  for (let index = 0; index < count; index++) {
    if (bytes.readUInt16BE(at) === 1) found.set(bytes.readUInt16BE(at + 4 + 2 * index), index)
    else {
      const range = at + 4 + 6 * index
      const [first, last] = [bytes.readUInt16BE(range), bytes.readUInt16BE(range + 2)]
      const start = bytes.readUInt16BE(range + 4)
      for (let glyph = first; glyph <= last; glyph++) found.set(glyph, start + glyph - first)
    }
  }
  return found
}

/** Class definition tables; a glyph that is not in one has class 0. */
function classesAt(bytes: Buffer, at: number): Map<number, number> {
  const found = new Map<number, number>()
  if (bytes.readUInt16BE(at) === 1) {
    const first = bytes.readUInt16BE(at + 2)
    for (let index = 0; index < bytes.readUInt16BE(at + 4); index++) {
      found.set(first + index, bytes.readUInt16BE(at + 6 + 2 * index))
    }
    return found
  }
  for (let index = 0; index < bytes.readUInt16BE(at + 2); index++) {
    const range = at + 4 + 6 * index
    const [first, last] = [bytes.readUInt16BE(range), bytes.readUInt16BE(range + 2)]
    for (let glyph = first; glyph <= last; glyph++) found.set(glyph, bytes.readUInt16BE(range + 4))
  }
  return found
}

/** How far a glyph moves after another one; undefined where a table says nothing of the first. */
type Kerning = (first: number, second: number) => number | undefined

/** GPOS: the lookups of the feature kern, each as its subtables for pairs. */
function kerningOf(tables: Tables): Kerning[][] {
  const gpos = table(tables, 'GPOS')
  const [features, lookups] = [gpos.readUInt16BE(6), gpos.readUInt16BE(8)]
  const numbers = new Set<number>()
  for (let index = 0; index < gpos.readUInt16BE(features); index++) {
    const record = features + 2 + 6 * index
    if (gpos.toString('latin1', record, record + 4) !== 'kern') continue
    const feature = features + gpos.readUInt16BE(record + 4)
    for (let each = 0; each < gpos.readUInt16BE(feature + 2); each++) {
      numbers.add(gpos.readUInt16BE(feature + 4 + 2 * each))
    }
  }
  return [...numbers]
    .sort((one, other) => one - other)
    .map((number) => {
      const lookup = lookups + gpos.readUInt16BE(lookups + 2 + 2 * number)
      return Array.from({ length: gpos.readUInt16BE(lookup + 4) }, (_, index) => {
        const start = lookup + gpos.readUInt16BE(lookup + 6 + 2 * index)
        const isExtended = gpos.readUInt16BE(lookup) === EXTENSION
        return pairsAt(gpos, isExtended ? start + gpos.readUInt32BE(start + 4) : start)
      })
    })
}

const EXTENSION = 9

/** GPOS, "Lookup type 2 subtable: pair adjustment positioning", of which kerning has the first advance. */
function pairsAt(gpos: Buffer, at: number): Kerning {
  const [first, second] = [gpos.readUInt16BE(at + 4), gpos.readUInt16BE(at + 6)]
  const bytes = (format: number) => 2 * [...format.toString(2)].filter((bit) => bit === '1').length
  const size = bytes(first) + bytes(second)
  const advance = (record: number) => (first & 4 ? gpos.readInt16BE(record + bytes(first & 3)) : 0)
  const covered = coverageAt(gpos, at + gpos.readUInt16BE(at + 2))
  if (gpos.readUInt16BE(at) === 1) {
    return (one, other) => {
      const index = covered.get(one)
      if (index === undefined) return undefined
      const set = at + gpos.readUInt16BE(at + 10 + 2 * index)
      for (let each = 0; each < gpos.readUInt16BE(set); each++) {
        const record = set + 2 + each * (2 + size)
        if (gpos.readUInt16BE(record) === other) return advance(record + 2)
      }
      return undefined
    }
  }
  const [firsts, seconds] = [8, 10].map((field) =>
    classesAt(gpos, at + gpos.readUInt16BE(at + field)),
  ) as [Map<number, number>, Map<number, number>]
  const width = gpos.readUInt16BE(at + 14)
  return (one, other) => {
    if (!covered.has(one)) return undefined
    const index = (firsts.get(one) ?? 0) * width + (seconds.get(other) ?? 0)
    return advance(at + 16 + index * size)
  }
}

/** Less than this is not seen; in thousandths of the size. */
const KERNING_LEAST = 12
const isKerned = (code: number) => isWanted(code) && /[\p{L}.,’]/u.test(String.fromCodePoint(code))

/** Lines with a distance, the letters before and the letters after which it comes. */
function kerningLines(tables: Tables): string[] {
  const lookups = kerningOf(tables)
  const scale = UNITS / table(tables, 'head').readUInt16BE(18)
  const letters = [...glyphNumbers(tables)].filter(([code]) => isKerned(code))
  const between = (one: number, other: number) =>
    lookups.reduce((sum, subtables) => {
      for (const subtable of subtables) {
        const distance = subtable(one, other)
        if (distance !== undefined) return sum + distance
      }
      return sum
    }, 0)
  const afterwards = new Map<string, string>()
  for (const [code, number] of letters) {
    const own = new Map<number, string>()
    for (const [next, other] of letters) {
      const distance = Math.round(between(number, other) * scale)
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
let capitals = 0
for (const subset of subsets) {
  const file = require.resolve(`@fontsource/inter/files/inter-${subset}-700-normal.woff`)
  const tables = tablesOf(readFileSync(file))
  capitals = table(tables, 'OS/2').readInt16BE(88) / table(tables, 'head').readUInt16BE(18)
  if (!subset.includes('ext') && subset !== 'vietnamese') kerned.push(...kerningLines(tables))
  for (const [code, number] of glyphNumbers(tables)) {
    if (isWanted(code) && !drawn.has(code)) drawn.set(code, drawnOf(tables, number))
    if (code === ARROW_UP) {
      drawn.set(0x2190, turned(tables, number, 'left'))
      drawn.set(0x2192, turned(tables, number, 'right'))
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
