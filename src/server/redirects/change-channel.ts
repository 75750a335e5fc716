import type { FastifyBaseLogger } from 'fastify'
import type { ProcessBus } from '../database/process-bus.ts'
import type { TargetCache } from './target-cache.ts'

const CHANNEL = 'tessera_codes'
const SEPARATOR = ','
/** A name has at most 50 characters: they fit into one message. */
const NAMES_MAX = 100

/** Tells the other processes on one PostgreSQL which names have a new target, and listens to them. */
export class ChangeChannel {
  readonly #bus: ProcessBus
  readonly #targets: TargetCache
  readonly #log: FastifyBaseLogger

  constructor(deps: { bus: ProcessBus; targets: TargetCache; log: FastifyBaseLogger }) {
    this.#bus = deps.bus
    this.#targets = deps.targets
    this.#log = deps.log
    this.#bus.read(CHANNEL, {
      hear: (message) => this.#targets.invalidate(message.split(SEPARATOR)),
      // Look every name up again.
      missed: () => this.#targets.invalidateAll(),
    })
  }

  /** These names have a new target, for this process and all others. */
  announce(keys: string[]) {
    this.#targets.invalidate(keys)
    if (!this.#bus.hasOthers || keys.length === 0) return
    for (let start = 0; start < keys.length; start += NAMES_MAX) {
      this.#notify(keys.slice(start, start + NAMES_MAX))
    }
  }

  #notify(keys: string[]) {
    this.#bus.tell(CHANNEL, keys.join(SEPARATOR)).catch((error) => {
      this.#log.warn(
        { err: error },
        'change of a code not announced; other processes see it in seconds',
      )
    })
  }
}
