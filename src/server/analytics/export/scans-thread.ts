import type { Location } from '../../database/connect.ts'
import { threadConnection } from '../../database/thread-connection.ts'
import { serveTasks } from '../../threads/serve-tasks.ts'
import { ScanReader } from '../store/packs/reader.ts'
import { scansPage } from './scans-page.ts'
import type { NamedCode, ScansTask } from './scans-task.ts'

/*
 * A thread that makes tables of scans, a page a task, on a connection of its own. What the figures'
 * thread keeps for the next look at a dashboard is not pushed out by a table of ten million scans.
 */

/** The day in hand, of which the next page is asked for */
const CACHE_BYTES = 24 * 1024 * 1024

let reader: ScanReader | undefined
let known: { table: string; codes: Map<string, NamedCode> } | undefined

serveTasks(
  ({ location, codes, table, ...asked }: ScansTask) => {
    reader ??= readerOn(location)
    if (known?.table !== table) known = { table, codes: codesIn(codes) }
    return scansPage(reader, asked, known.codes)
  },
  { movedOf: ({ text }) => [text.buffer as ArrayBuffer] },
)

function readerOn(location: Location): ScanReader {
  return new ScanReader({ location, reads: threadConnection(location) }, CACHE_BYTES)
}

function codesIn(shared: SharedArrayBuffer): Map<string, NamedCode> {
  const codes: NamedCode[] = JSON.parse(Buffer.from(shared).toString())
  return new Map(codes.map((code) => [code.id, code]))
}
