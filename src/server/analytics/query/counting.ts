import { type Facet, UNKNOWN } from '#contract/analytics/figure-values.ts'
import { QUARTERS_A_DAY } from '../../dates.ts'
import { apps } from '../record/agents/apps.ts'
import type { PackColumn, PackedScans, TextColumn } from '../store/packs/pack.ts'
import type { ScanPart } from '../store/packs/reader.ts'
import type { Wanted } from './count-task.ts'
import type { QuarterSums } from './quarter-sums.ts'
import type { Tally } from './tallies.ts'

const QUARTER_SECONDS = 900
const PERSON = 'person'

const appNames = new Set<string | null>(apps.map(({ name }) => name))

/** An app is the browser of its name. */
export const columnOf = (facet: Facet): PackColumn => (facet === 'app' ? 'browser' : facet)

/** The value that a scan has of a facet, from that of its column; null if it is not known. */
export const facetValue = (facet: Facet, value: string | null) =>
  facet === 'app' && !appNames.has(value) ? null : value

/** The rows in hand; the next part writes over them. */
let scratch = new Uint32Array(0)

/** The rows of a part that are wanted. Read them before the next call. */
export function matching({ scans, begin, end, isAsked }: ScanPart, wanted: Wanted): Uint32Array {
  const { columns } = scans
  const marks = [
    { of: columns.code_id.of, isTaken: isAsked },
    take(columns.class, (value) => (value === PERSON) === (wanted.kind === 'people')),
    ...Object.entries(wanted.filters).map(([name, asked]) => {
      const facet = name as Facet
      const value = asked === UNKNOWN ? null : asked
      return take(columns[columnOf(facet)], (each) => facetValue(facet, each) === value)
    }),
  ].filter(({ isTaken }) => isTaken.includes(0))
  if (marks.some(({ isTaken }) => !isTaken.includes(1))) return scratch.subarray(0, 0)
  if (scratch.length < end - begin) scratch = new Uint32Array(end - begin)
  const rows = scratch
  let count = end - begin
  for (let at = 0; at < count; at++) rows[at] = begin + at
  for (const { of, isTaken } of marks) {
    let kept = 0
    for (let at = 0; at < count; at++) {
      const row = rows[at] as number
      if (isTaken[of[row] as number] === 1) rows[kept++] = row
    }
    count = kept
  }
  return rows.subarray(0, count)
}

const take = ({ values, of }: TextColumn, isTaken: (value: string | null) => boolean) => ({
  of,
  isTaken: Uint8Array.from(values, (value) => Number(isTaken(value))),
})

export function addQuarters(sums: QuarterSums, scans: PackedScans, rows: Uint32Array) {
  if (rows.length === 0) return
  const { seconds, first } = scans
  const ofDay = sums.ofDay(scans.day)
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number
    const quarter = Math.floor((seconds[row] as number) / QUARTER_SECONDS)
    ofDay[quarter] = (ofDay[quarter] as number) + 1
    const visitors = QUARTERS_A_DAY + quarter
    ofDay[visitors] = (ofDay[visitors] as number) + (first[row] as number)
  }
}

/** How many scans have each value of a facet. */
export type ValueCounts = Tally<string | null>

export function addValues(
  counts: ValueCounts,
  facet: Facet,
  scans: PackedScans,
  rows: Uint32Array,
) {
  const { values, of } = scans.columns[columnOf(facet)]
  const numbers = countNumbers(of, rows, values.length)
  for (const [number, count] of numbers.entries()) {
    if (count === 0) continue
    counts.add(facetValue(facet, values[number] ?? null), count)
  }
}

function countNumbers(of: TextColumn['of'], rows: Uint32Array, values: number): Uint32Array {
  const counts = new Uint32Array(values)
  for (let at = 0; at < rows.length; at++) {
    const number = of[rows[at] as number] as number
    counts[number] = (counts[number] as number) + 1
  }
  return counts
}

/** How many scans each class and rule has, under `class rule`. */
export type ClassCounts = Tally<string>

export function addClasses(counts: ClassCounts, scans: PackedScans, rows: Uint32Array) {
  const { class: classes, rule: rules } = scans.columns
  const numbers = new Map<number, number>()
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number
    const number = (classes.of[row] as number) * rules.values.length + (rules.of[row] as number)
    numbers.set(number, (numbers.get(number) ?? 0) + 1)
  }
  for (const [number, count] of numbers) {
    const rule = rules.values[number % rules.values.length]
    counts.add(`${classes.values[Math.floor(number / rules.values.length)]} ${rule}`, count)
  }
}
