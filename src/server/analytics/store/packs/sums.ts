import type { ScanColumn } from '../scan.ts'
import { matching } from '../scan-rows.ts'
import type { Numbers, PackedScans, TextColumn } from '../scans-store.ts'
import { packColumns } from './pack.ts'

/*
 * The sums of a part's scans, so that a question without a filter need not read them: of all codes
 * together, and of each one. They are text, a line for each: its name, a tab and JSON.
 */

export type SumKind = 'people' | 'bots'
/** `classes` has each class and rule, as `class rule`, and `utms`, which no part keeps, each code and its UTM words. */
export type SumName = ScanColumn | 'quarters' | 'classes' | 'utms'
/** Values and their scans in turns; `quarters` are threes of quarter-hour, scans and visitors. */
export type SumList = (string | number | null)[]

const QUARTER_SECONDS = 900
/** In a smaller part to read the scans is as quick, and takes no room. */
const CODE_SUMS_LEAST = 1_000
const kinds = ['people', 'bots'] as const
const columnNames = packColumns.filter((name) => !['code_id', 'class', 'rule'].includes(name))
/** By code: what is in no rollup. Lists have numbers in place of values. */
const codeNames = ['region', 'city', 'classes'] as const
const VALUES = 'values'

type Columns = PackedScans['columns'] & { classes: TextColumn }

/** The sums of a part, of all codes together and by code. */
export function sumsOf(scans: PackedScans): { sums: Buffer; code_sums: Buffer | null } {
  const columns = { ...scans.columns, classes: classColumn(scans) }
  const isAsked = new Uint8Array(columns.code_id.values.length).fill(1)
  const whole = { scans, begin: 0, end: scans.size, isAsked }
  const rows = kinds.map((kind) => [kind, matching(whole, { kind, filters: {} }).slice()] as const)
  const sums = rows.flatMap(([kind, ofKind]) => [
    lineOf(`${kind} quarters`, quartersOf(scans, ofKind)),
    ...[...columnNames, 'classes' as const].map((name) => {
      const { values, of } = columns[name]
      return lineOf(`${kind} ${name}`, named(countNumbers(of, ofKind, values.length), values))
    }),
  ])
  if (scans.size < CODE_SUMS_LEAST) return { sums: textOf(sums), code_sums: null }
  const values = codeNames.map((name) => columns[name].values)
  const each = rows.flatMap(([kind, ofKind]) =>
    byCode(columns, ofKind).map(([code, ofOne]) => lineOf(`${code} ${kind}`, ofOne)),
  )
  return { sums: textOf(sums), code_sums: textOf([lineOf(VALUES, values), ...each]) }
}

/** Whether parts have this sum by code. */
export const isSummedByCode = (name: SumName) => (codeNames as readonly SumName[]).includes(name)

/** One of the sums that a part keeps: of all its codes, or from its `code_sums` that of one. */
export function sumIn(sums: Uint8Array, kind: SumKind, name: SumName, code?: string): SumList {
  if (code === undefined) return valueIn<SumList>(sums, `${kind} ${name}`) ?? noneIn(sums, kind)
  const index = (codeNames as readonly SumName[]).indexOf(name)
  const list = valueIn<number[][]>(sums, `${code} ${kind}`)?.[index] ?? []
  return named(list, valueIn<SumList[]>(sums, VALUES)?.[index] ?? [])
}

/** Parts of before scans had a column have no sum of it: all their scans are without a value. */
function noneIn(sums: Uint8Array, kind: SumKind): SumList {
  const quarters = valueIn<number[]>(sums, `${kind} quarters`) ?? []
  return [null, quarters.reduce((sum, scans, at) => (at % 3 === 1 ? sum + scans : sum), 0)]
}

/** One sum of these rows of a part. */
export function sumOf(scans: PackedScans, rows: Uint32Array, name: SumName): SumList {
  if (name === 'quarters') return quartersOf(scans, rows)
  const made = { classes: classColumn, utms: utmColumn }
  const { values, of } =
    name === 'classes' || name === 'utms' ? made[name](scans) : scans.columns[name]
  return named(countNumbers(of, rows, values.length), values)
}

/** A list of numbers and counts, with the values in place of their numbers. */
const named = (list: number[], values: SumList) =>
  list.map((each, at) => (at % 2 === 0 ? (values[each] ?? null) : each))

const lineOf = (name: string, value: unknown) => `\n${name}\t${JSON.stringify(value)}`
const textOf = (lines: string[]) => Buffer.from(`${lines.join('')}\n`)

function valueIn<Value>(sums: Uint8Array, name: string): Value | undefined {
  const bytes = Buffer.from(sums.buffer, sums.byteOffset, sums.byteLength)
  const before = `\n${name}\t`
  const at = bytes.indexOf(before)
  if (at < 0) return undefined
  const begin = at + before.length
  return JSON.parse(bytes.toString('utf8', begin, bytes.indexOf('\n', begin))) as Value
}

/** Each class and rule as the values of one column. */
const classColumn = ({ columns: { class: classes, rule } }: PackedScans) =>
  pairColumn(classes, rule, (name, rule) => `${name} ${rule}`)

/** Each code with its UTM words as the values of one column: the code, and the word's lines. */
const utmColumn = ({ columns: { code_id, utm } }: PackedScans) =>
  pairColumn(code_id, utm, (code, word) => `${code}\n${word ?? ''}`)

type Joined = (first: string | null | undefined, second: string | null | undefined) => string

/** The values that scans have of two columns, in one. */
function pairColumn(one: TextColumn, other: TextColumn, join: Joined): TextColumn {
  const known = new Map<number, number>()
  const values: string[] = []
  const of = new Uint32Array(one.of.length)
  for (let row = 0; row < of.length; row++) {
    const [first, second] = [one.of[row] as number, other.of[row] as number]
    const pair = first * other.values.length + second
    let number = known.get(pair)
    if (number === undefined) {
      number = values.push(join(one.values[first], other.values[second])) - 1
      known.set(pair, number)
    }
    of[row] = number
  }
  return { values, of }
}

function quartersOf({ seconds, first }: PackedScans, rows: Uint32Array): number[] {
  const list: number[] = []
  let [last, scans, visitors] = [-1, 0, 0]
  const end = () => {
    if (scans > 0) list.push(last, scans, visitors)
  }
  for (const row of rows) {
    const quarter = Math.floor((seconds[row] as number) / QUARTER_SECONDS)
    if (quarter !== last) {
      end()
      ;[last, scans, visitors] = [quarter, 0, 0]
    }
    scans++
    visitors += first[row] as number
  }
  end()
  return list
}

let counts = new Uint32Array(0)

/** The numbers that these rows have, and how many of them. */
function countNumbers(of: Numbers, rows: Uint32Array, values: number): number[] {
  if (counts.length < values) counts = new Uint32Array(values)
  const met: number[] = []
  for (const row of rows) {
    const number = of[row] as number
    const before = counts[number] as number
    if (before === 0) met.push(number)
    counts[number] = before + 1
  }
  const list: number[] = []
  for (const number of met) {
    list.push(number, counts[number] as number)
    counts[number] = 0
  }
  return list
}

function byCode(columns: Columns, rows: Uint32Array): [string | null, number[][]][] {
  const { values, of } = columns.code_id
  return [...Map.groupBy(rows, (row) => of[row] as number)].map(([code, ofOne]) => {
    const some = Uint32Array.from(ofOne)
    const lists = codeNames.map((name) =>
      countNumbers(columns[name].of, some, columns[name].values.length),
    )
    return [values[code] ?? null, lists]
  })
}
