import { type SqlBool, sql } from 'kysely'
import { MINUTE_MS } from '#contract/time.ts'
import { hasCome } from '../clock.ts'

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
