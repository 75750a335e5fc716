import type { FastifyRequest } from 'fastify'
import type { AuditEvent } from '#contract/audit.ts'
import { HOUR_MS } from '#contract/time.ts'
import type { Clock } from '../clock.ts'
import type { Db, Tx } from '../database/schema.ts'
import type { Job } from '../jobs.ts'
import { type Origin, recordEvent, sweepEvents, trimEvents } from './audit-store.ts'

type Deps = {
  db: Db
  clock: Clock
  originOf: (request: FastifyRequest) => Origin
}

/** Writes down an event in the transaction of what was done. `subject` is the id of what it was done to. */
export type Recording<Event> = (tx: Tx, event: Event, subject: string) => Promise<void>

/** The audit log: what the other rooms write to it, and its end after 13 months. */
export function auditRoom({ db, clock, originOf }: Deps) {
  const jobs: Job[] = [
    {
      name: 'sweep-audit',
      everyMs: HOUR_MS,
      run: async () => {
        await sweepEvents(db, clock())
        await trimEvents(db)
      },
    },
  ]
  return {
    jobs,
    /** Writes events of the user of a request behind `requireUser`. */
    recordFor:
      (request: FastifyRequest): Recording<AuditEvent> =>
      (tx, event, subject) => {
        const who = { userId: request.userId, actor: 'user', origin: originOf(request) } as const
        return recordEvent(tx, { ...who, event, subject }, clock())
      },
    /** Writes events of work that is done later, without its request. */
    recordLater:
      (userId: string, origin: Origin): Recording<AuditEvent> =>
      (tx, event, subject) =>
        recordEvent(tx, { userId, actor: 'user', origin, event, subject }, clock()),
    /** The payment provider says that an account has another plan. */
    recordPlan: (tx: Tx, userId: string, tier: string) =>
      recordEvent(tx, { userId, actor: 'system', event: 'plan-changed', subject: tier }, clock()),
  }
}
