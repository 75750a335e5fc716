import type { FastifyBaseLogger } from 'fastify'
import { EVERY_MS, type ScanEventsDeps, SETTLED_MS, tellScans } from './scan-events.ts'

type Deps = ScanEventsDeps & { log: FastifyBaseLogger; onTold: () => void }

/** Looks for scans to tell of: soon after some have come, and else when the job does. */
export class ScanWatch {
  readonly #deps: Deps
  #timer: NodeJS.Timeout | undefined
  #run: Promise<void> | undefined
  #isStopped = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Scans have come into the ledger. They are told when those of the other processes have, too. */
  onScanned() {
    this.#later(SETTLED_MS)
  }

  /** Tells of what there is. */
  look(): Promise<void> {
    this.#run ??= this.#look().finally(() => {
      this.#run = undefined
    })
    return this.#run
  }

  async stop() {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#run
  }

  async #look() {
    try {
      const isMore = await tellScans(this.#deps)
      this.#deps.onTold()
      if (isMore) this.#later(EVERY_MS)
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'scans are not told to webhooks yet')
      this.#later(SETTLED_MS)
    }
  }

  #later(ms: number) {
    if (this.#timer || this.#isStopped) return
    const look = () => {
      this.#timer = undefined
      void this.look()
    }
    this.#timer = setTimeout(look, ms).unref()
  }
}
