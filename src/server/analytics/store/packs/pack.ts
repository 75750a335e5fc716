import type { WorkspaceId } from '../../../database/ids.ts'
import { type ScanColumn, textNames } from '../scan.ts'
import type { Numbers, PackedScans, TextColumn } from '../scans-store.ts'

/** The columns of texts, each named like its column in the ledger. */
export const packColumns: readonly ScanColumn[] = ['code_id', ...textNames]

const eachColumn = (make: (name: ScanColumn, index: number) => TextColumn) =>
  Object.fromEntries(
    packColumns.map((name, index) => [name, make(name, index)]),
  ) as PackedScans['columns']

/** An account's scans of one UTC day. `part` is the lowest id of them. */
export type DayScans = { workspaceId: WorkspaceId; day: number; part: string; scans: PackedScans }

export const DAY_SECONDS = 86_400

const VERSION = 1
const HEAD_BYTES = 4

/** The narrowest array for numbers below `values`. */
function numbersFor(values: number, size: number): Numbers {
  if (values <= 0x100) return new Uint8Array(size)
  return values <= 0x1_0000 ? new Uint16Array(size) : new Uint32Array(size)
}

type GrowingColumn = { known: Map<string | null, number>; of: number[] }

/** Collects scans of one UTC day in any order. */
export class PackBuilder {
  readonly #day: number
  readonly #seconds: number[] = []
  readonly #first: number[] = []
  readonly #columns = packColumns.map((): GrowingColumn => ({ known: new Map(), of: [] }))

  constructor(day: number) {
    this.#day = day
  }

  get size(): number {
    return this.#seconds.length
  }

  /** @param texts one for each of `packColumns` */
  add(second: number, first: number, texts: readonly (string | null)[]) {
    this.#seconds.push(second)
    this.#first.push(first)
    for (let column = 0; column < this.#columns.length; column++) {
      const { known, of } = this.#columns[column] as GrowingColumn
      const text = texts[column] ?? null
      let number = known.get(text)
      if (number === undefined) {
        number = known.size
        known.set(text, number)
      }
      of.push(number)
    }
  }

  build(): PackedScans {
    const columns = eachColumn((_, index) => {
      const { known, of } = this.#columns[index] as GrowingColumn
      const numbers = numbersFor(known.size, of.length)
      numbers.set(of)
      return { values: [...known.keys()], of: numbers }
    })
    return sortedByTime({
      day: this.#day,
      size: this.size,
      columns,
      seconds: Uint32Array.from(this.#seconds),
      first: Uint8Array.from(this.#first),
    })
  }
}

/**
 * Its bytes: a head in JSON, then the steps between the seconds in groups of seven bits, the firsts, and
 * each column's numbers in one, two or four bytes, little-endian like every machine that we run on. A
 * column with one value needs none.
 */
export function encode({ day, size, seconds, first, columns }: PackedScans): Buffer {
  const head = Buffer.from(
    JSON.stringify([VERSION, day, size, packColumns.map((name) => columns[name].values)]),
  )
  const bodies = packColumns
    .filter((name) => columns[name].values.length > 1)
    .map((name) => bytesOf(columns[name].of))
  const length = Buffer.alloc(HEAD_BYTES)
  length.writeUInt32LE(head.length)
  return Buffer.concat([length, head, steps(seconds), first, ...bodies])
}

/** @throws where these are not the bytes of a pack */
export function decode(bytes: Uint8Array): PackedScans {
  const { buffer, byteOffset, byteLength } = bytes
  const body = HEAD_BYTES + new DataView(buffer, byteOffset, byteLength).getUint32(0, true)
  const head = Buffer.from(buffer, byteOffset + HEAD_BYTES, body - HEAD_BYTES).toString()
  const [version, day, size, lists] = JSON.parse(head) as [
    number,
    number,
    number,
    TextColumn['values'][],
  ]
  if (version !== VERSION) throw new Error(`a pack of version ${version}`)
  const seconds = new Uint32Array(size)
  let at = readSteps(bytes, body, seconds)
  const first = new Uint8Array(bytes.subarray(at, at + size))
  at += size
  const columns = eachColumn((_, index) => {
    const values = lists[index] ?? [null]
    const of = numbersFor(values.length, size)
    if (values.length > 1) {
      bytesOf(of).set(bytes.subarray(at, at + of.byteLength))
      at += of.byteLength
    }
    return { values, of }
  })
  if (at !== bytes.length) throw new Error(`a pack of ${bytes.length} bytes instead of ${at}`)
  return { day, size, seconds, first, columns }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Numbers) =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** A step within a day takes up to three groups of seven bits; all but the last have the eighth bit. */
function steps(seconds: Uint32Array): Buffer {
  const bytes = Buffer.alloc(3 * seconds.length)
  let at = 0
  let before = 0
  for (const second of seconds) {
    let step = second - before
    before = second
    for (; step > 0x7f; step >>>= 7) bytes[at++] = 0x80 | (step & 0x7f)
    bytes[at++] = step
  }
  return bytes.subarray(0, at)
}

/** Returns where the bytes of the steps end. */
function readSteps(bytes: Uint8Array, from: number, seconds: Uint32Array): number {
  let at = from
  let second = 0
  for (let row = 0; row < seconds.length; row++) {
    let byte = bytes[at++] as number
    let step = byte & 0x7f
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = bytes[at++] as number
      step |= (byte & 0x7f) << shift
    }
    second += step
    seconds[row] = second
  }
  return at
}

/** All scans of some packs of one day. */
export function combine(packs: PackedScans[]): PackedScans {
  const size = packs.reduce((sum, pack) => sum + pack.size, 0)
  const seconds = new Uint32Array(size)
  const first = new Uint8Array(size)
  let at = 0
  for (const pack of packs) {
    seconds.set(pack.seconds, at)
    first.set(pack.first, at)
    at += pack.size
  }
  const columns = eachColumn((name) => combineTexts(packs, name, size))
  return sortedByTime({ day: packs[0]?.day ?? 0, size, seconds, first, columns })
}

function combineTexts(packs: PackedScans[], name: ScanColumn, size: number): TextColumn {
  const known = new Map<string | null, number>()
  const renumbered = packs.map(({ columns }) =>
    columns[name].values.map((value) => {
      const number = known.get(value) ?? known.size
      known.set(value, number)
      return number
    }),
  )
  const of = numbersFor(known.size, size)
  let at = 0
  for (const [index, { columns }] of packs.entries()) {
    const numbers = renumbered[index] as number[]
    for (const number of columns[name].of) of[at++] = numbers[number] as number
  }
  return { values: [...known.keys()], of }
}

/** The scans of a pack that are not of these codes; undefined if it has none of them. */
export function without(pack: PackedScans, codes: ReadonlySet<string | null>) {
  const { values, of } = pack.columns.code_id
  const isGone = values.map((code) => codes.has(code))
  if (!isGone.includes(true)) return undefined
  const rows: number[] = []
  for (let row = 0; row < pack.size; row++) if (!isGone[of[row] as number]) rows.push(row)
  return pick(pack, Uint32Array.from(rows))
}

/** The first row at or after a second of the day. */
export function rowAt({ seconds, size }: PackedScans, second: number): number {
  let [low, high] = [0, size]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((seconds[middle] as number) < second) low = middle + 1
    else high = middle
  }
  return low
}

/** A pack's memory, in bytes. */
export function memoryOf({ size, columns }: PackedScans): number {
  let bytes = 5 * size
  for (const { values, of } of Object.values(columns)) {
    bytes += of.byteLength + values.reduce((sum, value) => sum + 40 + 2 * (value?.length ?? 0), 0)
  }
  return bytes
}

function sortedByTime(pack: PackedScans): PackedScans {
  const { seconds, size } = pack
  if (seconds.every((second, row) => row === 0 || second >= (seconds[row - 1] as number))) {
    return pack
  }
  const next = new Uint32Array(DAY_SECONDS + 1)
  for (const second of seconds) next[second + 1] = (next[second + 1] as number) + 1
  for (let at = 1; at < next.length; at++) {
    next[at] = (next[at] as number) + (next[at - 1] as number)
  }
  const rows = new Uint32Array(size)
  for (let row = 0; row < size; row++) {
    const second = seconds[row] as number
    rows[next[second] as number] = row
    next[second] = (next[second] as number) + 1
  }
  return pick(pack, rows)
}

/** These rows, with the values that they have. */
function pick({ day, seconds, first, columns }: PackedScans, rows: Uint32Array): PackedScans {
  const picked = eachColumn((name) => {
    const { values, of } = columns[name]
    const known = new Map<number, number>()
    for (const row of rows) {
      const number = of[row] as number
      if (!known.has(number)) known.set(number, known.size)
    }
    return {
      values: [...known.keys()].map((number) => values[number] ?? null),
      of: numbersFor(known.size, rows.length).map(
        (_, at) => known.get(of[rows[at] as number] as number) as number,
      ),
    }
  })
  return {
    day,
    size: rows.length,
    columns: picked,
    seconds: rows.map((row) => seconds[row] as number),
    first: new Uint8Array(rows.length).map((_, at) => first[rows[at] as number] as number),
  }
}
