import { setImmediate as nextTurn } from 'node:timers/promises'
import { profiler } from '../../src/server/analytics/capture/profiles.ts'
import { Ledger } from '../../src/server/analytics/ledger/ledger.ts'
import { openLedger } from '../../src/server/analytics/ledger/ledger-connections.ts'
import { newScanId, scanLine, scanOf } from '../../src/server/analytics/ledger/scan.ts'
import type { Location } from '../../src/server/database/connect.ts'
import type { Calendar } from './calendar.ts'
import type { DemoCode } from './demo-codes.ts'
import { type PastVisit, visitsOn } from './past.ts'
import { demoPlaceOf } from './visitors.ts'

/** How far back scans go, today included. */
const DAYS = 90
/** Scans in one transaction. */
const BATCH = 2_000

type DemoVisit = PastVisit & { codeId: string }

/** Writes the past of these codes up to now, judged and committed as the recorder does it. */
export async function recordScans(location: Location, codes: DemoCode[], calendar: Calendar) {
  const profileOf = profiler({ placeOf: demoPlaceOf, saltOf: (day) => `demo ${day}` })
  const scanFrom = ({ codeId, at, visit }: DemoVisit) =>
    scanOf(JSON.parse(scanLine(newScanId(at), codeId, at, profileOf(visit, at))))
  const scans = visitsUntilNow(codes, calendar).map(scanFrom)
  const ledger = new Ledger(openLedger(location))
  for (let start = 0; start < scans.length; start += BATCH) {
    await ledger.commit(scans.slice(start, start + BATCH))
    // A commit on SQLite leaves no turn to what goes on beside it.
    await nextTurn()
  }
  ledger.close()
}

/** All visits to these codes, oldest first. */
function visitsUntilNow(codes: DemoCode[], calendar: Calendar): DemoVisit[] {
  const days = Array.from({ length: DAYS }, (_, index) => calendar.ago(DAYS - 1 - index))
  const visits = codes.flatMap(({ id, life, planned: { scanned } }) => {
    if (!scanned) return []
    const lived = { ...life, to: Math.min(life.to, calendar.now) }
    return days
      .flatMap((day) => visitsOn(day, lived, scanned))
      .map((visit) => ({ ...visit, codeId: id }))
  })
  return visits.sort((one, other) => one.at - other.at)
}
