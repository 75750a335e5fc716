import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import type { Metric } from '../../http/operations.ts'
import { lineEnd, newScanId, scanLine } from '../ledger/scan.ts'
import { OTHER } from './agents/rule.ts'
import { RULES_VERSION } from './classification.ts'
import { CommitThread } from './commit-thread.ts'
import { openPlaces, type PlacesConfig } from './places/places.ts'
import { type ProfileOf, profiler } from './profiles.ts'
import { Recorder, type RecorderCounts } from './recorder.ts'
import { Replay } from './replay.ts'
import { Salts } from './salts.ts'
import { Spill } from './spill.ts'
import type { Visit } from './visit.ts'

const CATCH_UP_STEP_MS = 5

const UNCLASSIFIED = lineEnd({
  ...({ class: 'person', rule: `${RULES_VERSION}:unclassified` } as const),
  ...{ country: null, region: null, city: null, device: OTHER, os: OTHER, browser: OTHER },
  ...{ referrer: null, language: null, agent: '', visitor: null },
})

export type CaptureDeps = {
  database: Database
  clock: Clock
  log: FastifyBaseLogger
  dataDir: string
  processId: number
  config: PlacesConfig
  /** How long a stop waits for commits */
  stopPatienceMs?: number
}

/** Takes scans from the redirect and brings each into the ledger. */
export class Capture {
  readonly recorder: Recorder
  readonly salts: Salts
  readonly #deps: CaptureDeps
  readonly #thread: CommitThread
  readonly #replay: Replay
  readonly #profileOf: ProfileOf

  private constructor(deps: CaptureDeps, profileOf: ProfileOf, salts: Salts) {
    const { database, log } = deps
    this.#deps = deps
    this.#profileOf = profileOf
    this.salts = salts
    this.#thread = new CommitThread(database.location)
    const spill = new Spill(deps.dataDir, deps.processId)
    const { stopPatienceMs } = deps
    const commit = (lines: string[]) => this.#thread.commit(lines)
    this.recorder = new Recorder({ commit, spill, log, stopPatienceMs })
    const { counts } = this.recorder
    this.#replay = new Replay({ spill, location: database.location, log, counts })
  }

  /** Opens what classification needs, and starts to replay what an earlier process spilled. */
  static async start(deps: CaptureDeps): Promise<Capture> {
    const salts = new Salts(deps.database.db, deps.clock)
    await salts.start((error) => deps.log.error({ err: error }, 'salts not loaded'))
    const places = await openPlaces(deps.config, deps)
    const profileOf = profiler({ ...places, saltOf: (day) => salts.of(day) })
    const capture = new Capture(deps, profileOf, salts)
    await capture.#thread.warm()
    capture.#replay.start()
    return capture
  }

  /** Records a visit to a code; `answer` is called once, when the redirect may go out. */
  record(codeId: string, visit: Visit, answer: () => void): void {
    const at = this.#deps.clock().getTime()
    const end = this.#describe(visit, at)
    this.recorder.record(scanLine(newScanId(at), codeId, at, end), answer)
  }

  /** No header, whatever it holds, stops the scan from counting or the redirect from going out. */
  #describe(visit: Visit, at: number): string {
    try {
      return this.#profileOf(visit, at)
    } catch (error) {
      this.#deps.log.error({ err: error }, 'visit not classified')
      return UNCLASSIFIED
    }
  }

  /** Waits until the scans that have come are in the numbers; answers whether they are, at the limit. */
  async caughtUp(limitMs: number): Promise<boolean> {
    const end = Date.now() + limitMs
    while (this.recorder.backlog > 0 && Date.now() < end) await sleep(CATCH_UP_STEP_MS)
    return this.recorder.backlog === 0
  }

  /** Call it when no more scans come. */
  async stop(): Promise<void> {
    this.salts.stop()
    const replayed = this.#replay.stop()
    await this.recorder.stop()
    await replayed
    await this.#thread.stop()
  }

  /** For GET /metrics. */
  metrics(): Metric[] {
    const counted = counters.map(([key, name, help]) => ({
      name: `tessera_${name}`,
      help,
      type: 'counter' as const,
      value: this.recorder.counts[key],
    }))
    const backlog = {
      name: 'tessera_scans_waiting',
      help: 'Scans not yet committed',
      type: 'gauge' as const,
      value: this.recorder.backlog,
    }
    return [...counted, backlog]
  }
}

const counters: [keyof RecorderCounts, string, string][] = [
  ['recorded', 'scans_recorded_total', 'Scans committed to the ledger'],
  ['commits', 'scan_commits_total', 'Transactions of the recorder'],
  ['failedCommits', 'scan_commit_failures_total', 'Transactions that failed and were tried again'],
  [
    'answeredBeforeCommit',
    'answered_before_commit',
    'Redirects answered before their scan was on disk',
  ],
  ['spilled', 'scans_spilled_total', 'Scans written to a spill file'],
  ['refused', 'scans_refused_total', 'Scans that the database will never take, set aside'],
  ['lost', 'scans_lost_total', 'Scans that could neither be committed nor spilled'],
]
