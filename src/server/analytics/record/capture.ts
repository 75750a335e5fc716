import type { FastifyBaseLogger } from 'fastify'
import { MINUTE_MS } from '#contract/time.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import { counter, gauge, type Metric } from '../../http/metrics.ts'
import type { Visit } from '../../http/policy/visit.ts'
import type { ScanAttributes } from '../store/scan.ts'
import type { Reading, ScanRecorder } from '../types.ts'
import { OTHER } from '../user-agents/rule.ts'
import { AddressWatch } from './address-watch.ts'
import { RULES_VERSION, UNCLASSIFIED } from './classification.ts'
import { type VisitClassifier, visitClassifier } from './classified-visit.ts'
import { Folding } from './folding/folding.ts'
import { foldFormerSpill } from './former-spill.ts'
import { Journal, type JournalCounts } from './journal/journal.ts'
import { adoptOrphans, claimNew, type Owned } from './journal/ownership.ts'
import { openPlaces, type PlacesConfig } from './places/places.ts'
import { Salts } from './salts.ts'

/** How long a stop waits for the disk, and then for the database. */
const FLUSH_PATIENCE_MS = 2_000
const STOP_PATIENCE_MS = 7_000
/** A process beside this one may end at any time, and its journal is then ours to fold. */
const CLAIM_EVERY_MS = MINUTE_MS

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

type Opened = { own: Owned; journal: Journal; folding: Folding }

/**
 * Takes scans from the redirect. Each is in the journal on disk before its redirect is answered, and
 * soon after that in the ledger, to which the folding thread brings it.
 */
export class Capture implements ScanRecorder {
  readonly salts: Salts
  readonly #deps: CaptureDeps
  readonly #classifier: VisitClassifier
  readonly #own: Owned
  readonly #journal: Journal
  readonly #folding: Folding
  readonly #addresses: AddressWatch
  #claims: NodeJS.Timeout | undefined

  private constructor(
    deps: CaptureDeps,
    classifier: VisitClassifier,
    salts: Salts,
    opened: Opened,
  ) {
    this.#deps = deps
    this.#classifier = classifier
    this.salts = salts
    this.#own = opened.own
    this.#journal = opened.journal
    this.#folding = opened.folding
    this.#addresses = new AddressWatch((message) => deps.log.warn(message))
  }

  /**
   * Opens what classification needs and a journal, without the database. Scans are in the journal until
   * `fold` is called.
   */
  static async open(deps: CaptureDeps): Promise<Capture> {
    const { database, clock, dataDir, processId, config, log } = deps
    const salts = new Salts(database.db, clock)
    const places = await openPlaces(config, deps)
    const classifier = visitClassifier({ ...places, saltOf: (day) => salts.of(day) })
    const own = claimNew(dataDir, processId)
    const journal = await Journal.open({
      ...deps.journal,
      folder: own.folder,
      maxBytes: config.journalMax,
      log,
      wake: () => folding.wake(),
    })
    const { location } = database
    const folding = new Folding({ location, dataDir, own, state: journal.state, log })
    return new Capture(deps, classifier, salts, { own, journal, folding })
  }

  /** Shares the salts of visitors with other processes. Call it after the migrations. */
  async start(): Promise<void> {
    await this.salts.start((error) => this.#deps.log.error({ err: error }, 'salts not loaded'))
  }

  /**
   * Begins to bring scans into the database, those that ended processes left too.
   * @param onScanned called with codes whose scans by persons are now in the numbers
   */
  fold(onScanned: (codes: string[] | 'many') => void) {
    const { database, dataDir, log } = this.#deps
    this.#folding.start(onScanned)
    foldFormerSpill(database.location, dataDir).catch((error) =>
      log.error({ err: error }, 'scans of an earlier version wait for the next start'),
    )
    this.#claim()
    this.#claims = setInterval(() => this.#claim(), CLAIM_EVERY_MS)
    this.#claims.unref()
  }

  #claim() {
    try {
      this.#folding.take(adoptOrphans(this.#deps.dataDir, this.#deps.log))
    } catch (error) {
      this.#deps.log.error({ err: error }, 'journals of ended processes not looked for')
    }
  }

  /** No header, whatever it holds, stops the scan from counting or the redirect from going out. */
  read(visit: Visit, at: number): Reading {
    try {
      return this.#classifier.read(visit, at)
    } catch (error) {
      this.#deps.log.error({ err: error }, 'visit not classified')
      return { attributes: UNREAD, visitor: null, address: visit.address }
    }
  }

  record(codeId: string, reading: Reading, answer: () => void, at: number, utm: string | null) {
    this.#addresses.note(reading.address, at)
    this.#journal.record(codeId, this.#classifier.meets(reading, utm), at, answer)
  }

  /**
   * Waits until the scans that have been answered are in the numbers. Returns false on a timeout.
   * @param limitMs the longest wait; without it the folding's own limit, a fifth of a second
   */
  async flush(limitMs?: number): Promise<boolean> {
    if (this.#journal.isLate && !(await this.#journal.flush(limitMs ?? 0))) return false
    return this.#folding.flush(limitMs)
  }

  /** Call it when no more scans come. What cannot be folded now, the next start folds. */
  async stop(): Promise<void> {
    this.salts.stop()
    clearInterval(this.#claims)
    await this.#journal.flush(FLUSH_PATIENCE_MS)
    const isFolded = await this.#folding.stop(this.#deps.stopPatienceMs ?? STOP_PATIENCE_MS)
    if (!isFolded) this.#deps.log.warn('scans stay in the journal; the next start folds them')
    await this.#journal.close()
    this.#own.release()
  }

  /** For GET /metrics. */
  metrics(): Metric[] {
    const now = this.#deps.clock().getTime()
    const { counts, waiting, bytes, oldestAt = now, isLate } = this.#journal
    const unfolded = waiting + counts.written - this.#folding.ownFolded
    const { journalMax } = this.#deps.config
    return [
      ...counters.map(([key, name, help]) => counter(name, help, counts[key])),
      gauge('scans_waiting', 'Scans not yet in the numbers', unfolded),
      gauge('journal_bytes', 'Bytes of journals that are not folded yet', bytes),
      gauge('journal_max_bytes', 'JOURNAL_MAX: beyond it scans are lost', journalMax),
      gauge(
        'journal_oldest_scan_ms',
        'Age of the oldest scan that is not in the numbers',
        Math.max(0, Math.round(now - oldestAt)),
      ),
      gauge(
        'journal_stalled',
        '1 while the disk does not write and redirects go out before it does',
        isLate ? 1 : 0,
      ),
      ...this.#folding.metrics(),
    ]
  }
}

const counters: [keyof JournalCounts, string, string][] = [
  ['written', 'scans_written_total', 'Scans written to the journal on disk'],
  ['writes', 'journal_writes_total', 'Writes of the journal, each for all scans that had come'],
  ['failedWrites', 'journal_write_failures_total', 'Writes that failed and were tried again'],
  ['answeredEarly', 'answered_before_commit', 'Redirects answered before their scan was on disk'],
  ['lost', 'scans_lost_total', 'Scans for which neither disk nor journal had room'],
]
