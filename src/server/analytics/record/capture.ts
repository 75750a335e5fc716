import type { FastifyBaseLogger } from 'fastify'
import { MINUTE_MS } from '#contract/time.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import { counter, gauge, type Metric } from '../../http/metrics.ts'
import type { ScanAttributes } from '../store/scan.ts'
import type { Reading, ScanRecorder, Visit } from '../types.ts'
import { OTHER } from '../user-agents/rule.ts'
import { addressWatch } from './address-watch.ts'
import { RULES_VERSION, UNCLASSIFIED } from './classification.ts'
import { visitClassifier } from './classified-visit.ts'
import { foldingOf } from './folding/folding.ts'
import { foldFormerSpill } from './former-spill.ts'
import { Journal, type JournalCounts } from './journal/journal.ts'
import { adoptOrphans, claimNew } from './journal/ownership.ts'
import { openPlaces, type PlacesConfig } from './places/places.ts'
import { visitorSalts } from './salts.ts'

/** How long a stop waits for the disk, and then for the database. */
const FLUSH_PATIENCE_MS = 2_000
const STOP_PATIENCE_MS = 7_000
/** A process beside this one may end at any time, and its journal is then ours to fold. */
const CLAIM_EVERY_MS = MINUTE_MS
/** Figures are late if scans wait longer for the database. */
const LATE_MS = MINUTE_MS

const UNREAD: ScanAttributes = {
  class: 'person',
  rule: `${RULES_VERSION}:${UNCLASSIFIED}`,
  country: null,
  region: null,
  city: null,
  device: OTHER,
  os: OTHER,
  browser: OTHER,
  referrer: null,
  language: null,
  agent: '',
  utm: null,
  branch: null,
}

export type CaptureDeps = {
  database: Database
  clock: Clock
  log: FastifyBaseLogger
  dataDir: string
  processId: number
  config: PlacesConfig & { journalMax: number }
  /** How long a stop waits for the database */
  stopPatienceMs?: number
  /** In tests: smaller segments, and how long a redirect waits for the disk */
  journal?: { segmentBytes?: number; frameBytes?: number; patienceMs?: number }
}

export type Capture = Awaited<ReturnType<typeof openCapture>>

/**
 * Takes scans from the redirect. Each is in the journal on disk before its redirect is answered, and
 * soon after that in the ledger, to which the folding thread brings it. This opens what classification needs and
 * a journal, without the database: scans are in the journal until `fold` is called.
 */
export async function openCapture(deps: CaptureDeps) {
  const { database, clock, dataDir, processId, config, log } = deps
  const { location } = database
  const salts = visitorSalts(database.db, clock)
  const places = await openPlaces(config, deps)
  const classifier = visitClassifier({ ...places, saltOf: (day) => salts.of(day) })
  const noteAddress = addressWatch((message) => log.warn(message))
  const own = claimNew(dataDir, processId)
  const journal = await Journal.open({
    ...deps.journal,
    folder: own.folder,
    maxBytes: config.journalMax,
    log,
    wake: () => folding.wake(),
  })
  const folding = foldingOf({ location, dataDir, own, state: journal.state, log })
  let claims: NodeJS.Timeout | undefined

  function claim() {
    try {
      folding.take(adoptOrphans(dataDir, log))
    } catch (error) {
      log.error({ err: error }, 'journals of ended processes not looked for')
    }
  }

  return {
    salts,
    hasRegions: places.hasRegions,
    /** Shares the salts of visitors with other processes. Call it after the migrations. */
    start: () => salts.start((error) => log.error({ err: error }, 'salts not loaded')),
    /**
     * Begins to bring scans into the database, those that ended processes left too.
     * @param onScanned called with codes whose scans by persons are now in the numbers
     */
    fold: (onScanned: (codes: string[] | 'many') => void) => {
      folding.start(onScanned)
      foldFormerSpill(location, dataDir).catch((error) =>
        log.error({ err: error }, 'scans of an earlier version wait for the next start'),
      )
      claim()
      claims = setInterval(claim, CLAIM_EVERY_MS).unref()
    },
    /** No header, whatever it holds, stops the scan from counting or the redirect from going out. */
    read: (visit: Visit, at: number): Reading => {
      try {
        return classifier.read(visit, at)
      } catch (error) {
        log.error({ err: error }, 'visit not classified')
        return { attributes: UNREAD, visitor: null, address: visit.address }
      }
    },
    record: (codeId, reading, answer, at, met) => {
      noteAddress(reading.address, at)
      journal.record(codeId, classifier.meets(reading, met), at, answer)
    },
    /**
     * Waits until the scans that have been answered are in the numbers. Returns false on a timeout.
     * @param limitMs the longest wait; without it the folding's own limit, a fifth of a second
     */
    flush: async (limitMs?: number): Promise<boolean> => {
      if (journal.isLate && !(await journal.flush(limitMs ?? 0))) return false
      return folding.flush(limitMs)
    },
    /** Up to when all scans are in the numbers, if some wait for too long. */
    lateSince: (): Date | undefined => {
      const { oldestAt } = journal
      const isLate = oldestAt !== undefined && clock().getTime() - oldestAt > LATE_MS
      return isLate ? new Date(oldestAt) : undefined
    },
    /** Call it when no more scans come. What cannot be folded now, the next start folds. */
    stop: async () => {
      salts.stop()
      clearInterval(claims)
      await journal.flush(FLUSH_PATIENCE_MS)
      const isFolded = await folding.stop(deps.stopPatienceMs ?? STOP_PATIENCE_MS)
      if (!isFolded) log.warn('scans stay in the journal; the next start folds them')
      await journal.close()
      own.release()
    },
    /** For GET /metrics. */
    metrics: (): Metric[] => {
      const now = clock().getTime()
      const { counts, waiting, bytes, oldestAt = now, isLate } = journal
      const unfolded = waiting + counts.written - folding.ownFolded
      const ageMs = Math.max(0, Math.round(now - oldestAt))
      return [
        ...counters.map(([key, name, help]) => counter(name, help, counts[key])),
        gauge('scans_waiting', 'Scans not yet in the numbers', unfolded),
        gauge('journal_bytes', 'Bytes of journals that are not folded yet', bytes),
        gauge('journal_max_bytes', 'JOURNAL_MAX: beyond it scans are lost', config.journalMax),
        gauge('journal_oldest_scan_ms', 'Age of the oldest scan that is not in the numbers', ageMs),
        gauge(
          'journal_stalled',
          '1 while the disk does not write and redirects go out before it does',
          isLate ? 1 : 0,
        ),
        ...folding.metrics(),
      ]
    },
  } satisfies ScanRecorder & Record<string, unknown>
}

const counters: [keyof JournalCounts, string, string][] = [
  ['written', 'scans_written_total', 'Scans written to the journal on disk'],
  ['writes', 'journal_writes_total', 'Writes of the journal, each for all scans that had come'],
  ['failedWrites', 'journal_write_failures_total', 'Writes that failed and were tried again'],
  ['answeredEarly', 'answered_before_commit', 'Redirects answered before their scan was on disk'],
  ['lost', 'scans_lost_total', 'Scans for which neither disk nor journal had room'],
]
