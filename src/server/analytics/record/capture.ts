import type { FastifyBaseLogger } from 'fastify'
import { MINUTE_MS } from '#contract/time.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import type { Metric } from '../../http/metrics.ts'
import { OTHER } from './agents/rule.ts'
import { RULES_VERSION, UNCLASSIFIED } from './classification.ts'
import { Folding } from './folding/folding.ts'
import { Journal } from './journal/journal.ts'
import type { Kind, Seen } from './journal/kind.ts'
import { claimEnded, claimNew, type Owned } from './journal/ownership.ts'
import { journalMetrics } from './journal-metrics.ts'
import { openPlaces, type PlacesConfig } from './places/places.ts'
import { profiler, type SeenBy } from './profiles.ts'
import { Salts } from './salts.ts'
import type { Visit } from './visit.ts'

/** How long a stop waits for the disk, and then for the database. */
const FLUSH_PATIENCE_MS = 2_000
const STOP_PATIENCE_MS = 7_000
/** A process beside this one may end at any time, and its journal is then ours to fold. */
const CLAIM_EVERY_MS = MINUTE_MS

const UNREAD: Kind = {
  ...({ class: 'person', rule: `${RULES_VERSION}:${UNCLASSIFIED}` } as const),
  ...{ country: null, region: null, city: null, device: OTHER, os: OTHER, browser: OTHER },
  ...{ referrer: null, language: null, agent: '' },
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

/**
 * Takes scans from the redirect. Each is in the journal on disk before its redirect is answered, and
 * soon after that in the ledger, to which the folding thread brings it.
 */
export class Capture {
  readonly salts: Salts
  /** Told of codes whose scans by persons are now in the numbers. */
  onScanned: (codes: string[] | 'many') => void = () => {}
  readonly #deps: CaptureDeps
  readonly #seenBy: SeenBy
  readonly #own: Owned
  readonly #journal: Journal
  readonly #folding: Folding
  #claims: NodeJS.Timeout | undefined

  private constructor(
    deps: CaptureDeps,
    seenBy: SeenBy,
    salts: Salts,
    own: Owned,
    journal: Journal,
  ) {
    const { database, dataDir, log } = deps
    this.#deps = deps
    this.#seenBy = seenBy
    this.salts = salts
    this.#own = own
    this.#journal = journal
    const { location } = database
    const onScanned = (codes: string[] | 'many') => this.onScanned(codes)
    this.#folding = new Folding({ location, dataDir, own, state: journal.state, log, onScanned })
  }

  /** Opens what classification needs and a journal, and begins to fold what ended processes left. */
  static async start(deps: CaptureDeps): Promise<Capture> {
    const { dataDir, processId, config, log } = deps
    const salts = new Salts(deps.database.db, deps.clock)
    await salts.start((error) => log.error({ err: error }, 'salts not loaded'))
    const places = await openPlaces(config, deps)
    const seenBy = profiler({ ...places, saltOf: (day) => salts.of(day) })
    const own = claimNew(dataDir, processId)
    const journal = await Journal.open({
      ...{ ...deps.journal, folder: own.folder, maxBytes: config.journalMax, log },
      wake: () => capture.#folding.wake(),
    })
    const capture = new Capture(deps, seenBy, salts, own, journal)
    capture.#begin()
    return capture
  }

  #begin() {
    this.#folding.start()
    this.#claim()
    this.#claims = setInterval(() => this.#claim(), CLAIM_EVERY_MS)
    this.#claims.unref()
  }

  #claim() {
    try {
      this.#folding.take(claimEnded(this.#deps.dataDir, this.#deps.log))
    } catch (error) {
      this.#deps.log.error({ err: error }, 'journals of ended processes not looked for')
    }
  }

  /** Records a visit to a code; `answer` is called once, when the redirect may go out. */
  record(codeId: string, visit: Visit, answer: () => void): void {
    const at = this.#deps.clock().getTime()
    this.#journal.record(codeId, this.#describe(visit, at), at, answer)
  }

  /** No header, whatever it holds, stops the scan from counting or the redirect from going out. */
  #describe(visit: Visit, at: number): Seen {
    try {
      return this.#seenBy(visit, at)
    } catch (error) {
      this.#deps.log.error({ err: error }, 'visit not classified')
      return { kind: UNREAD, visitor: null }
    }
  }

  /**
   * Waits until the scans that have been answered are in the numbers; answers whether they are.
   * @param limitMs at most so long; the folding's own limit, a fifth of a second, without it
   */
  async caughtUp(limitMs?: number): Promise<boolean> {
    if (this.#journal.isLate && !(await this.#journal.flush(limitMs ?? 0))) return false
    return this.#folding.caughtUp(limitMs)
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
    const { ownFolded } = this.#folding
    const { clock, config } = this.#deps
    const max = config.journalMax
    return [
      ...journalMetrics(this.#journal, { ownFolded, max, now: clock().getTime() }),
      ...this.#folding.metrics(),
    ]
  }
}
