import { DAY_MS } from '#contract/time.ts'
import { matching } from '../query/counting.ts'
import { combine, type PackedScans, rowAt } from '../store/packs/pack.ts'
import type { ScanPart, ScanReader } from '../store/packs/reader.ts'
import { scanLines } from './scan-lines.ts'
import type { NamedCode, ScansAnswer, ScansTask } from './scans-task.ts'

const DAY_SECONDS = DAY_MS / 1_000

/** Lines that are made at once: some two megabytes. */
export const PAGE_ROWS = 10_000

type Asked = Omit<ScansTask, 'location' | 'codes' | 'table'>

/** The next lines of the table, oldest first. Scans of one second are never parted. */
export async function scansPage(
  reader: ScanReader,
  { userId, from, to, offsets, ...wanted }: Asked,
  codes: ReadonlyMap<string, NamedCode>,
): Promise<ScansAnswer> {
  const parts: ScanPart[] = []
  await reader.read({ userId, codeIds: codes.keys(), from, to }, (part) => parts.push(part))
  const whole = asOne(parts, from, to)
  const rows = whole && matching(whole, wanted)
  if (!whole || !rows || rows.length === 0) return { text: new Uint8Array(), next: to }
  const { scans } = whole
  const end = pageEnd(scans, rows)
  const text = scanLines(scans, rows.subarray(0, end), { codes, offsets })
  const next = end < rows.length ? instantAt(scans, rows[end] as number) : to
  return { text: new TextEncoder().encode(text), next }
}

/** The parts of a day as one, in the order of its seconds. */
function asOne(parts: ScanPart[], from: number, to: number): ScanPart | undefined {
  if (parts.length < 2) return parts[0]
  const scans = combine(parts.map((part) => part.scans))
  const asked = new Set(parts.flatMap(askedCodes))
  const isAsked = Uint8Array.from(scans.columns.code_id.values, (id) => Number(asked.has(id)))
  const rowOf = (at: number) => rowAt(scans, Math.floor(at / 1_000) - scans.day * DAY_SECONDS)
  return { scans, isAsked, begin: rowOf(from), end: rowOf(to) }
}

const askedCodes = ({ scans, isAsked }: ScanPart) =>
  scans.columns.code_id.values.filter((_, number) => isAsked[number] === 1)

/** How many rows make the page: the scans of its last second belong to it. */
function pageEnd({ seconds }: PackedScans, rows: Uint32Array): number {
  const secondOf = (at: number) => seconds[rows[at] as number]
  let end = Math.min(PAGE_ROWS, rows.length)
  while (end < rows.length && secondOf(end) === secondOf(end - 1)) end++
  return end
}

const instantAt = ({ day, seconds }: PackedScans, row: number) =>
  day * DAY_MS + (seconds[row] as number) * 1_000
