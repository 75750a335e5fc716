import { type Facet, UNKNOWN } from '#contract/analytics/figure-values.ts'
import { hasUtm } from '#contract/analytics/utm.ts'
import { apps } from '../user-agents/apps.ts'
import type { ScanColumn } from './scan.ts'
import type { PackedScans, ScanPart, TextColumn, Wanted, WantedUtm } from './scans-store.ts'

const PERSON = 'person'

const appNames = new Set<string | null>(apps.map(({ name }) => name))

/** An app is the browser of its name. */
export const columnOf = (facet: Facet): ScanColumn => (facet === 'app' ? 'browser' : facet)

/** The value that a scan has of a facet, from that of its column; null if it is not known. */
export const facetValue = (facet: Facet, value: string | null) =>
  facet === 'app' && !appNames.has(value) ? null : value

/** Filters take capitals or none. */
const folded = (value: string | null) => value?.toLowerCase() ?? null

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
      const value = asked === UNKNOWN ? null : folded(asked)
      return take(columns[columnOf(facet)], (each) => folded(facetValue(facet, each)) === value)
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
  const taken = rows.subarray(0, count)
  return wanted.utm ? taken.filter(meets(scans, wanted.utm)) : taken
}

/** Tells of a row whether its UTM parameters, or those of older scans today, are as asked for. */
function meets({ day, columns }: PackedScans, { filters, before, codes }: WantedUtm) {
  const { utm, code_id } = columns
  const isMet = utm.values.map((word) => hasUtm(word, filters))
  const none = day < before ? utm.values.indexOf(null) : -1
  const asked = new Set<string | null>(codes)
  const isMetToday = code_id.values.map((id) => asked.has(id))
  return (row: number) =>
    utm.of[row] === none ? isMetToday[code_id.of[row] as number] : isMet[utm.of[row] as number]
}

const take = ({ values, of }: TextColumn, isTaken: (value: string | null) => boolean) => ({
  of,
  isTaken: Uint8Array.from(values, (value) => Number(isTaken(value))),
})
