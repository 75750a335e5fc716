import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { type SqlBool, sql } from 'kysely'
import { MINUTE_MS } from '#contract/time.ts'
import { type Clock, hasCome } from './clock.ts'
import type { Db } from './database/schema.ts'
import { RepeatableTask } from './repeatable-task.ts'

/*
 * A lease gives one of all processes a piece of work. A column of the database holds when it ends, or null.
 * A process takes a lease, or makes it longer, in one UPDATE. If it ends with work in hand, another process
 * goes on when the lease is over.
 */

/** The time that a process has for one step of its work */
export const LEASE_MS = MINUTE_MS

/** When a lease ends that is taken now. */
export const leaseEnd = (now: Date, forMs = LEASE_MS) => now.getTime() + forMs

/** A condition: no process has the lease of this column. */
export const isFree = (column: string, now: Date, forMs = LEASE_MS) =>
  sql<SqlBool>`(${sql.ref(column)} is null or ${hasCome(column, forMs, now)})`

type Lease = {
  name: string
  holder: string
  forMs?: number
  /** Whether its holder makes it longer before it ends */
  isRenewed?: boolean
}

/** Takes a lease of job_leases; returns false if another holder has it. */
export async function takeLease(
  db: Db,
  { name, holder, forMs = LEASE_MS, isRenewed = false }: Lease,
  now: Date,
): Promise<boolean> {
  const lease = { holder, until: leaseEnd(now, forMs) }
  const free = isFree('job_leases.until', now, forMs)
  const taken = await db
    .insertInto('job_leases')
    .values({ name, ...lease })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet(lease)
        .where((row) => (isRenewed ? row.or([row('job_leases.holder', '=', holder), free]) : free)),
    )
    .returning('name')
    .execute()
  return taken.length > 0
}

/** Periodic work of a room, done by one of all processes. It must be safe to repeat. */
export type Job = { name: string; everyMs: number; run: () => Promise<void> }

const TICK_MS = 30_000

type JobRunnerDeps = {
  db: Db
  clock: Clock
  log: FastifyBaseLogger
  jobs: Job[]
  /** Whether nothing may be written now */
  areWritesPaused?: () => Promise<boolean>
}

/** Runs the jobs that are due, one after the other, each in one of all processes. */
export class JobRunner {
  readonly #holder = randomUUID()
  readonly #deps: JobRunnerDeps
  readonly #rounds = new RepeatableTask(async () => {
    await this.runDue()
    this.#rounds.after(TICK_MS)
  })

  constructor(deps: JobRunnerDeps) {
    this.#deps = deps
  }

  start() {
    this.#rounds.soon()
  }

  async runDue(): Promise<void> {
    const { db, clock, log, jobs, areWritesPaused } = this.#deps
    if (await areWritesPaused?.().catch(() => false)) return
    for (const { name, everyMs, run } of jobs) {
      if (this.#rounds.isStopped) return
      try {
        const lease = { name, holder: this.#holder, forMs: everyMs }
        if (await takeLease(db, lease, clock())) await run()
      } catch (error) {
        log.error({ err: error, job: name }, 'job failed; it runs again when due')
      }
    }
  }

  /** Resolves when the running job has ended. */
  stop(): Promise<void> {
    return this.#rounds.stop()
  }
}
