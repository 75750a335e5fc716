import type { FastifyBaseLogger } from 'fastify'
import type { Location } from '../../database/connect.ts'
import { CommitThread } from './commit-thread.ts'
import type { RecorderCounts } from './recorder.ts'
import type { Spill } from './spill.ts'

/** Few at a time: a fresh scan may have to wait for a replayed transaction. */
const CHUNK = 500
const EVERY_MS = 60_000

type ReplayDeps = {
  spill: Spill
  location: Location
  log: FastifyBaseLogger
  counts: RecorderCounts
}

/** Brings spilled scans into the ledger, in a thread of its own that lives only while there is work. */
export class Replay {
  readonly #deps: ReplayDeps
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> | undefined
  #stopping = false

  constructor(deps: ReplayDeps) {
    this.#deps = deps
  }

  start() {
    this.#run()
    this.#timer = setInterval(() => this.#run(), EVERY_MS)
    this.#timer.unref()
  }

  /** Ends after the chunk in hand; the next start replays the rest. */
  async stop(): Promise<void> {
    this.#stopping = true
    clearInterval(this.#timer)
    await this.#round
  }

  #run() {
    this.#round ??= this.#drain().finally(() => {
      this.#round = undefined
    })
  }

  async #drain(): Promise<void> {
    const { spill, location, log } = this.#deps
    const thread = new CommitThread(location)
    try {
      const scans = await spill.drain((lines) => this.#commit(thread, lines))
      if (scans > 0) log.info({ scans }, 'spilled scans replayed')
    } catch (error) {
      log.error({ err: error }, 'spilled scans not replayed yet')
    } finally {
      await thread.stop()
    }
  }

  /** @throws unless all lines are in the ledger; the next round then replays them from the start */
  async #commit(thread: CommitThread, lines: string[]): Promise<void> {
    const { spill, counts } = this.#deps
    for (let start = 0; start < lines.length; start += CHUNK) {
      if (this.#stopping) throw new Error('the service stops; the next start replays the rest')
      const reply = await thread.commit(lines.slice(start, start + CHUNK))
      if (!reply.ok) throw new Error(reply.message)
      counts.refused += reply.refused.length
      await spill.keepRefused(reply.refused)
    }
  }
}
