import { DAY_MS } from '#contract/time.ts'
import { serveTasks } from '../../work-threads.ts'
import { openCounts } from '../store/open-store.ts'
import { combine } from '../store/packs/pack.ts'
import { partOf } from '../store/packs/reader.ts'
import { matching } from '../store/scan-rows.ts'
import type { PackedScans, ScanPart, ScansCounts } from '../store/scans-store.ts'
import { type NamedCode, scanLines, scanObjects } from './scan-lines.ts'
import type { ScansAnswer, ScansTask } from './scan-tables.ts'

/*
 * A thread that makes tables of scans, a page a task, on a connection of its own. What the figures'
 * thread keeps for the next look at a dashboard is not pushed out by a table of ten million scans.
 */

/** The day in hand, of which the next page is asked for */
const CACHE_BYTES = 24 * 1024 * 1024

/** Lines that are made at once: some two megabytes. */
const PAGE_ROWS = 10_000

let reader: Pick<ScansCounts, 'rows'> | undefined
let known: { table: string; codes: Map<string, NamedCode> } | undefined

serveTasks(
  ({ location, codes, table, ...asked }: ScansTask) => {
    reader ??= openCounts(location, CACHE_BYTES)
    if (known?.table !== table) known = { table, codes: codesIn(codes) }
    return scansPage(reader, asked, known.codes)
  },
  { movedOf: ({ text }) => [text.buffer as ArrayBuffer] },
)

function codesIn(shared: SharedArrayBuffer): Map<string, NamedCode> {
  const codes: NamedCode[] = JSON.parse(Buffer.from(shared).toString())
  return new Map(codes.map((code) => [code.id, code]))
}

type Asked = Omit<ScansTask, 'location' | 'codes' | 'table'>

/** The next lines of the table, oldest first, in which scans of one second are never parted; or the next objects. */
async function scansPage(
  reader: Pick<ScansCounts, 'rows'>,
  { workspaceId, from, to, offsets, utmFrom, objects, ...wanted }: Asked,
  codes: ReadonlyMap<string, NamedCode>,
): Promise<ScansAnswer> {
  const parts: ScanPart[] = []
  const asked = { workspaceId, codeIds: codes.keys(), from, to }
  const until = await reader.rows(asked, (part) => parts.push(part))
  if (until === undefined) throw new Error('A day has more scans than can be read')
  const seconds = { from: Math.floor(from / 1_000), to: Math.floor(until / 1_000) }
  const [first] = parts
  // The parts of a day as one, in the order of its seconds
  const whole =
    parts.length > 1
      ? partOf(combine(parts.map(({ scans }) => scans)), new Set(codes.keys()), seconds)
      : first
  const all = whole && matching(whole, wanted)
  const rows = all?.subarray(objects?.skip ?? 0)
  if (!whole || !rows || rows.length === 0) {
    return { text: new Uint8Array(), rows: 0, next: until, skip: 0 }
  }
  const { scans } = whole
  const end = objects ? Math.min(objects.most, rows.length) : pageEnd(scans, rows)
  const page = rows.subarray(0, end)
  const sources = { codes, utmFrom }
  const text = objects
    ? scanObjects(scans, page, sources)
    : scanLines(scans, page, { ...sources, offsets })
  const encoded = new TextEncoder().encode(text)
  if (end === rows.length) return { text: encoded, rows: end, next: until, skip: 0 }
  const next = instantAt(scans, rows[end] as number)
  const before = page.filter((row) => instantAt(scans, row) === next).length
  // All that were skipped are of one second: the first.
  const skip = next === from ? before + (objects?.skip ?? 0) : before
  return { text: encoded, rows: end, next, skip }
}

/** How many rows make the page: the scans of its last second belong to it. */
function pageEnd({ seconds }: PackedScans, rows: Uint32Array): number {
  const secondOf = (at: number) => seconds[rows[at] as number]
  let end = Math.min(PAGE_ROWS, rows.length)
  while (end < rows.length && secondOf(end) === secondOf(end - 1)) end++
  return end
}

const instantAt = ({ day, seconds }: PackedScans, row: number) =>
  day * DAY_MS + (seconds[row] as number) * 1_000
