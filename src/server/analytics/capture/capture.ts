import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import { lineEnd, newScanId, scanLine } from '../ledger/scan.ts'
import { RULES_VERSION } from './classification.ts'
import { CommitThread } from './commit-thread.ts'
import { openPlaces } from './places.ts'
import { type ProfileOf, profiler } from './profiles.ts'
import { Recorder } from './recorder.ts'
import { Salts } from './salts.ts'
import { Spill } from './spill.ts'
import type { Visit } from './visit.ts'

/** Few at a time: each replayed transaction is one that a fresh scan may have to wait for. */
const REPLAY_CHUNK = 500
const REPLAY_EVERY_MS = 60_000

const UNCLASSIFIED = lineEnd([
  ...(['person', `${RULES_VERSION}:unclassified`] as const),
  ...([null, null, null, null, null, null, null, null, '', null] as const),
])

export type CaptureDeps = {
  database: Database
  clock: Clock
  log: FastifyBaseLogger
  dataDir: string
  processId: number
  geoipDatabase: string | undefined
}

/** Takes scans from the redirect and sees that each gets into the ledger: the recorder and all it needs. */
export class Capture {
  readonly recorder: Recorder
  readonly salts: Salts
  readonly #deps: CaptureDeps
  readonly #thread: CommitThread
  readonly #spill: Spill
  readonly #profileOf: ProfileOf
  #replayTimer: NodeJS.Timeout | undefined
  #replaying: Promise<void> | undefined
  #stopping = false

  private constructor(deps: CaptureDeps, profileOf: ProfileOf, salts: Salts) {
    this.#deps = deps
    this.#profileOf = profileOf
    this.salts = salts
    this.#thread = new CommitThread(deps.database.location)
    this.#spill = new Spill(deps.dataDir, deps.processId)
    this.recorder = new Recorder({
      commit: (lines) => this.#thread.commit(lines),
      spill: this.#spill,
      log: deps.log,
    })
  }

  /** Opens what classification needs, and begins to replay what an earlier process left. */
  static async start(deps: CaptureDeps): Promise<Capture> {
    const salts = new Salts(deps.database.db, deps.clock)
    await salts.start((error) => deps.log.error({ err: error }, 'salts not loaded'))
    const placeOf = await openPlaces(deps.geoipDatabase)
    const profileOf = profiler({ placeOf, saltOf: (day) => salts.of(day) })
    const capture = new Capture(deps, profileOf, salts)
    await capture.#thread.warm()
    capture.#replayTimer = setInterval(() => capture.#replay(), REPLAY_EVERY_MS)
    capture.#replayTimer.unref()
    capture.#replay()
    return capture
  }

  /** Records a visit to a code; `answer` is called once, when the redirect may go out. */
  record(codeId: string, visit: Visit, answer: () => void): void {
    const at = this.#deps.clock().getTime()
    const end = this.#describe(visit, at)
    this.recorder.record(scanLine(newScanId(at), codeId, at, end), answer)
  }

  /** Whatever a header may hold, the scan counts and the redirect goes out. */
  #describe(visit: Visit, at: number): string {
    try {
      return this.#profileOf(visit, at)
    } catch (error) {
      this.#deps.log.error({ err: error }, 'visit not classified')
      return UNCLASSIFIED
    }
  }

  async stop(): Promise<void> {
    this.#stopping = true
    clearInterval(this.#replayTimer)
    this.salts.stop()
    await this.recorder.stop()
    await this.#replaying
    await this.#thread.stop()
  }

  /** Spilled scans go in beside the new ones, through a thread of their own that ends with the work. */
  #replay() {
    this.#replaying ??= this.#drain().finally(() => {
      this.#replaying = undefined
    })
  }

  async #drain(): Promise<void> {
    const { log, database } = this.#deps
    const thread = new CommitThread(database.location)
    try {
      const scans = await this.#spill.drain((lines) => this.#replayLines(thread, lines))
      if (scans > 0) log.info({ scans }, 'spilled scans replayed')
    } catch (error) {
      log.error({ err: error }, 'spilled scans not replayed yet')
    } finally {
      await thread.stop()
    }
  }

  /** @throws where not all is in the ledger; the lines are then replayed another time, from the start */
  async #replayLines(thread: CommitThread, lines: string[]): Promise<void> {
    for (let start = 0; start < lines.length; start += REPLAY_CHUNK) {
      if (this.#stopping) throw new Error('the service stops; the next start replays the rest')
      const { refused } = await committed(thread, lines.slice(start, start + REPLAY_CHUNK))
      if (refused.length > 0) await this.#setAside(refused)
    }
  }

  async #setAside(lines: string[]) {
    this.recorder.counts.refused += lines.length
    await this.#spill.keepRefused(lines)
  }
}

async function committed(thread: CommitThread, lines: string[]) {
  const reply = await thread.commit(lines)
  if (!reply.ok) throw new Error(reply.message)
  return reply
}
