import { setImmediate } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'

/**
 * Work that begins once its caller has answered, so that the time of the answer does not show whether
 * an address has an account.
 */
export class BackgroundTasks {
  readonly #log: FastifyBaseLogger
  readonly #underWay = new Set<Promise<unknown>>()

  constructor(log: FastifyBaseLogger) {
    this.#log = log
  }

  run(work: () => Promise<unknown>) {
    const done: Promise<unknown> = setImmediate()
      .then(work)
      .catch((error) => this.#log.error({ err: error }, 'what an answer promised was not done'))
      .finally(() => this.#underWay.delete(done))
    this.#underWay.add(done)
  }

  /** Resolves when all that was begun has ended. */
  async settle() {
    await Promise.all(this.#underWay)
  }
}
