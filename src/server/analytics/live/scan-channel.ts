import type { FastifyBaseLogger } from 'fastify'
import type { ProcessBus } from '../../database/process-bus.ts'
import { Gathering, type Scanned } from '../record/folding/gathering.ts'

const CHANNEL = 'tessera_scans'
const SEPARATOR = ','
const MANY = '*'
/** Four a second, whatever is scanned. */
const TELL_EVERY_MS = 250
/** An id has 36 characters: all together they are less than a message takes. */
const CODES_MAX = 200

export type ScanChannelDeps = {
  bus: ProcessBus
  log: FastifyBaseLogger
  /** Tells this process from the others. */
  nonce: string
  /** Takes the codes that another process has counted; `many` too when this one could not listen. */
  hear: (scanned: Scanned) => void
}

/** Which codes were scanned, between the processes on one PostgreSQL. */
export class ScanChannel {
  readonly #deps: ScanChannelDeps
  readonly #gathering: Gathering
  #last: Promise<void> = Promise.resolve()
  #hasFailed = false

  constructor(deps: ScanChannelDeps) {
    this.#deps = deps
    const tell = (scanned: string[] | 'many') => {
      this.#last = this.#tell(scanned)
    }
    this.#gathering = new Gathering({ everyMs: TELL_EVERY_MS, codesMax: CODES_MAX, tell })
    deps.bus.read(CHANNEL, {
      hear: (message) => this.#hear(message),
      missed: () => deps.hear('many'),
    })
  }

  tell(scanned: Scanned) {
    if (this.#deps.bus.hasOthers) this.#gathering.add(scanned)
  }

  /** Tells of the last ones. */
  async stop() {
    this.#gathering.flush()
    await this.#last
  }

  async #tell(scanned: string[] | 'many') {
    const codes = scanned === 'many' || this.#hasFailed ? MANY : scanned.join(SEPARATOR)
    const message = `${this.#deps.nonce}${SEPARATOR}${codes}`
    try {
      await this.#deps.bus.tell(CHANNEL, message)
      this.#hasFailed = false
    } catch (error) {
      this.#hasFailed = true
      this.#deps.log.warn({ err: error }, 'scans not told to the other processes')
    }
  }

  #hear(message: string) {
    const [nonce, ...codes] = message.split(SEPARATOR)
    if (nonce === this.#deps.nonce) return
    this.#deps.hear(codes[0] === MANY ? 'many' : codes)
  }
}
