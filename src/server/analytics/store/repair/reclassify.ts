import type { Database } from '../../../database/connect.ts'
import { firstCompleteDay } from '../ledger/marks.ts'
import { idFromDay, scannedDays } from '../ledger/scan-ids.ts'
import { type Change, type OlderScans, OlderScansReader, rewrite } from './older-scans.ts'
import { Repair } from './repair.ts'

export type Reclassified = {
  /** Scans by older rules that are by today's now */
  scans: number
  /** How many of them went from one class to another, by `bot → person`. */
  classes: Map<string, number>
  /** How many of them have another device, system or browser. */
  names: number
  /** Scans that stay as they are because their User-Agent is not stored */
  unread: number
  /** Scans that stay as they are because they are by later rules than these */
  later: number
  /** The first UTC day that was looked at */
  from: number
  /** Whether it was stopped before its end. */
  isStopped: boolean
}

export type Progress = { day: number; daysDone: number; days: number; scans: number }

type Options = {
  /** Changes nothing, and answers what would be changed. */
  isDry?: boolean
  /** Ends the run; numbers of the day in hand are then right. */
  signal?: AbortSignal | undefined
  onDay?: (progress: Progress) => void
}

/**
 * Reads the scans of the ledger again that were read by older rules than today's, on the UTC days whose
 * ledger is complete, and mends what is made of them: first visits, rollups, totals and packs. It may run
 * beside the service.
 *
 * It goes from the newest scan to the oldest: wherever it is killed, the versions of the rules in the
 * ledger still never go down with time (query/rule-versions.ts), and each row tells whether it is done.
 * A day's numbers follow when its rows are done, and a mark tells of which day they are due.
 * @throws RepairRefused
 */
export function reclassify(database: Database, options: Options = {}): Promise<Reclassified> {
  if (options.isDry) return walk(database, options)
  return Repair.run(database, (repair) => walk(database, options, repair))
}

async function walk(
  { reads }: Database,
  { signal, onDay }: Options,
  repair?: Repair,
): Promise<Reclassified> {
  const reader = new OlderScansReader(reads)
  const from = await firstCompleteDay(reads)
  const sum: Reclassified = {
    scans: 0,
    classes: new Map(),
    names: 0,
    unread: 0,
    later: 0,
    from,
    isStopped: false,
  }
  const write = async (day: number, changes: Change[]) =>
    (await repair?.inStep((tx) => rewrite(tx, day, changes))) ?? true
  const days = await scannedDays(reads, from)
  for (const [index, day] of days.entries()) {
    const scans = sum.scans
    for (let before: string | undefined = idFromDay(day + 1); before !== undefined; ) {
      sum.isStopped = signal?.aborted ?? false
      if (sum.isStopped) break
      const some: OlderScans = await reader.read(day, before)
      const isWhole = some.changes.length === 0 || (await write(day, some.changes))
      if (isWhole) addTo(sum, some)
      before = isWhole ? some.next : undefined
    }
    if (sum.scans > scans) await repair?.mendDay(day)
    if (sum.isStopped) break
    onDay?.({ day, daysDone: index + 1, days: days.length, scans: sum.scans })
  }
  return sum
}

function addTo(sum: Reclassified, { changes, unread, later }: OlderScans) {
  sum.scans += changes.length
  sum.unread += unread
  sum.later += later
  for (const { was, now } of changes) {
    if (was.class !== now.class) {
      const way = `${was.class} → ${now.class}`
      sum.classes.set(way, (sum.classes.get(way) ?? 0) + 1)
    }
    const isNamedOtherwise = (['device', 'os', 'browser'] as const).some(
      (name) => was[name] !== now[name],
    )
    if (isNamedOtherwise) sum.names++
  }
}
