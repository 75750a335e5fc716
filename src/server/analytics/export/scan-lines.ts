import type { ScanClass, UtmParameter } from '#contract/analytics/figure-values.ts'
import { type Facet, scanClassNames, utmParameters } from '#contract/analytics/figure-values.ts'
import type { Scan } from '#contract/analytics/figures.ts'
import { utmValues } from '#contract/analytics/utm.ts'
import { branchName, type Ruled } from '#contract/codes/branch-name.ts'
import { csvCell, csvLine } from '#contract/csv.ts'
import { DAY_MS } from '#contract/time.ts'
import { iso, type Offset, QUARTER_MS, QUARTERS_A_DAY, shownAt } from '../../dates.ts'
import { labelOf, reasonOf } from '../query/labels.ts'
import { columnOf, facetValue } from '../store/scan-rows.ts'
import type { PackedScans, TextColumn } from '../store/scans-store.ts'

/** A code as the rows of its scans name it */
export type NamedCode = Ruled & { id: string; name: string; link: string; utm: string | null }

const columns: [title: string, facet: Facet][] = [
  ['Country', 'country'],
  ['Region', 'region'],
  ['City', 'city'],
  ['Device', 'device'],
  ['System', 'os'],
  ['Browser', 'browser'],
  ['App', 'app'],
  ['Referrer', 'referrer'],
  ['Language', 'language'],
  ['Rule', 'branch'],
]

/** The first line of the table. */
export const SCAN_TITLES = csvLine([
  ...['Time', 'Code', 'Short link', 'Taken for', 'Reason', 'First of this visitor that day (UTC)'],
  ...columns.map(([title]) => title),
  ...['Source', 'Medium', 'Campaign', 'Term', 'Content'].map((name) => `UTM ${name}`),
])

const QUARTER_SECONDS = 900
const MINUTE = 60
const twoDigits = Array.from({ length: MINUTE }, (_, number) => String(number).padStart(2, '0'))

/** The codes of the scans, and the first day from which a scan's own UTM parameters are known */
type ScanSources = { codes: ReadonlyMap<string, NamedCode>; utmFrom: number }
type Asked = ScanSources & { offsets: readonly Offset[] }

/**
 * A line of CSV for each of these rows. Each value becomes a cell once, however many rows have it:
 * a table may have millions.
 */
export function scanLines(scans: PackedScans, rows: Uint32Array, { offsets, ...sources }: Asked) {
  const { codes } = sources
  const { seconds, first, columns: packed } = scans
  const code = cellsOf(packed.code_id, (id) => {
    const { name, link } = codes.get(id ?? '') ?? { name: '', link: '' }
    return `,${csvCell(name)},${csvCell(link)},`
  })
  const taken = takenFor(packed.class, packed.rule)
  const facets = columns.map(([, facet]) => {
    const column = packed[columnOf(facet)]
    return { of: column.of, cells: cellsOf(column, (value) => facetCell(facet, value, codes)) }
  })
  const utmAt = utmOfRows(scans, sources, (values) =>
    values.map((value) => `,${csvCell(value ?? '')}`).join(''),
  )
  const timeOf = clockOf(scans.day, offsets)
  const isPerson = packed.class.values.map((value) => value === 'person')
  let text = ''
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number
    text += timeOf(seconds[row] as number)
    text += code[packed.code_id.of[row] as number]
    text += taken(row)
    // Only people are visitors.
    if (isPerson[packed.class.of[row] as number]) text += first[row] ? 'yes' : 'no'
    for (const { of, cells } of facets) text += cells[of[row] as number]
    text += utmAt(row)
    text += '\r\n'
  }
  return text
}

/** The same scans as JSON, in the values that filters ask for: objects with commas between them. */
export function scanObjects(scans: PackedScans, rows: Uint32Array, sources: ScanSources) {
  const { seconds, first, columns: packed } = scans
  const start = scans.day * DAY_MS
  const utmAt = utmOfRows(scans, sources, (values) =>
    Object.fromEntries(utmParameters.map((name, index) => [name, values[index] ?? null])),
  )
  const textAt = ({ of, values }: TextColumn, row: number) => values[of[row] as number] ?? null
  const objects = Array.from(rows, (row) => {
    const scanClass = textAt(packed.class, row) as ScanClass
    const facets = columns.map(([, facet]) => {
      return [facet, facetValue(facet, textAt(packed[columnOf(facet)], row))]
    })
    const scan: Scan = {
      at: iso(start + 1_000 * (seconds[row] as number)),
      qr: textAt(packed.code_id, row) ?? '',
      class: scanClass,
      reason: reasonOf(scanClass, textAt(packed.rule, row) ?? ''),
      isFirst: scanClass === 'person' ? Boolean(first[row]) : null,
      ...(Object.fromEntries(facets) as Record<Facet, string | null>),
      ...(utmAt(row) as Record<UtmParameter, string | null>),
    }
    return JSON.stringify(scan)
  })
  return objects.join()
}

/** Shows a row's UTM parameters, made once for each word. */
function utmOfRows<Shown>(
  { day, columns: { utm, code_id } }: PackedScans,
  { codes, utmFrom }: ScanSources,
  show: (values: (string | undefined)[]) => Shown,
): (row: number) => Shown {
  const met = utm.values.map((word) => show(utmValues(word)))
  const none = day < utmFrom ? utm.values.indexOf(null) : -1
  const today = code_id.values.map((id) => show(utmValues(codes.get(id ?? '')?.utm ?? null)))
  return (row) =>
    (utm.of[row] === none ? today[code_id.of[row] as number] : met[utm.of[row] as number]) as Shown
}

const cellsOf = ({ values }: TextColumn, cell: (value: string | null) => string) => values.map(cell)

function facetCell(facet: Facet, packed: string | null, codes: ScanSources['codes']): string {
  const value = facetValue(facet, packed)
  if (value === null) return ','
  const isBranch = facet === 'branch'
  return `,${csvCell(isBranch ? branchName([...codes.values()], value) : labelOf(facet, value))}`
}

/** The class of a row in words, and the reason. */
function takenFor(classes: TextColumn, rules: TextColumn): (row: number) => string {
  const known: string[] = []
  return (row) => {
    const [name, rule] = [classes.of[row] as number, rules.of[row] as number]
    const number = name * rules.values.length + rule
    known[number] ??= cellsFor(classes.values[name] as ScanClass, rules.values[rule] ?? '')
    return known[number]
  }
}

const cellsFor = (scanClass: ScanClass, rule: string) =>
  `${csvCell(scanClassNames[scanClass])},${csvCell(reasonOf(scanClass, rule))},`

/** Times of a UTC day in ISO 8601 with the zone's offset: "2026-11-22T18:05:09+01:00". */
function clockOf(day: number, offsets: readonly Offset[]): (second: number) => string {
  let known = -1
  let hour = ''
  let minute = 0
  let offset = ''
  return (second) => {
    const quarter = day * QUARTERS_A_DAY + Math.floor(second / QUARTER_SECONDS)
    if (quarter !== known) {
      known = quarter
      const shown = shownAt(offsets, quarter)
      hour = new Date(shown * QUARTER_MS).toISOString().slice(0, 'YYYY-MM-DDTHH:'.length)
      minute = (shown % 4) * 15
      offset = offsetText(shown - quarter)
    }
    const within = second % QUARTER_SECONDS
    const minutes = twoDigits[minute + Math.floor(within / MINUTE)]
    return `${hour}${minutes}:${twoDigits[within % MINUTE]}${offset}`
  }
}

/** An offset in quarter-hours as text: "+05:45". */
function offsetText(ahead: number): string {
  const [hours, rest] = [Math.floor(Math.abs(ahead) / 4), Math.abs(ahead) % 4]
  return `${ahead < 0 ? '-' : '+'}${twoDigits[hours]}:${twoDigits[rest * 15]}`
}
