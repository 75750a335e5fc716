import { setImmediate } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'

/**
 * Work that begins once its caller has answered, so that the time of the answer does not show whether
 * an address has an account.
 */
export class BackgroundTasks {
  readonly #log: FastifyBaseLogger
  readonly #underWay = new Set<Promise<void>>()

  constructor(log: FastifyBaseLogger) {
    this.#log = log
  }

  run(work: () => Promise<unknown>) {
    const done = this.#perform(work).finally(() => this.#underWay.delete(done))
    this.#underWay.add(done)
  }

  async #perform(work: () => Promise<unknown>) {
    try {
      await setImmediate()
      await work()
    } catch (error) {
      this.#log.error({ err: error }, 'what an answer promised was not done')
    }
  }

  /** Resolves when all that was begun has ended. */
  async settle() {
    await Promise.all(this.#underWay)
  }
}
