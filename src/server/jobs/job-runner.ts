import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/schema.ts'
import { isFree, leaseEnd } from './lease.ts'

/** Periodic work of a room, done by one of all processes. It must be safe to repeat. */
export type Job = { name: string; everyMs: number; run: () => Promise<void> }

const TICK_MS = 30_000

/** Runs the jobs that are due, one after the other. A lease in the database keeps other processes from the same job. */
export class JobRunner {
  readonly #holder = randomUUID()
  readonly #deps: { db: Db; clock: Clock; log: FastifyBaseLogger; jobs: Job[] }
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(deps: { db: Db; clock: Clock; log: FastifyBaseLogger; jobs: Job[] }) {
    this.#deps = deps
  }

  start() {
    this.#round = this.runDue()
    this.#timer = setInterval(() => {
      this.#round = this.#round.then(() => this.runDue())
    }, TICK_MS)
    this.#timer.unref()
  }

  async runDue(): Promise<void> {
    for (const job of this.#deps.jobs) {
      if (this.#stopped) return
      try {
        if (await this.#takeLease(job)) await job.run()
      } catch (error) {
        this.#deps.log.error({ err: error, job: job.name }, 'job failed; it runs again when due')
      }
    }
  }

  /** Resolves when the running job has ended. */
  async stop() {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#round
  }

  async #takeLease({ name, everyMs }: Job): Promise<boolean> {
    const now = this.#deps.clock()
    const lease = { holder: this.#holder, until: leaseEnd(now, everyMs) }
    const taken = await this.#deps.db
      .insertInto('job_leases')
      .values({ name, ...lease })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet(lease)
          .where(isFree('job_leases.until', now, everyMs)),
      )
      .returning('name')
      .execute()
    return taken.length > 0
  }
}
