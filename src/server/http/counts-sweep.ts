import type { Clock } from '../clock.ts'
import type { Db } from '../database/schema.ts'
import type { Job } from '../jobs/job-runner.ts'
import { removeOldest, removeOver } from './counts-store.ts'

const MINUTE_MS = 60_000
/** Counts that are kept: some 40 MB. Only a flood from very many addresses gets there. */
export const COUNTS_MAX = 200_000
/** Rows in one statement, so that none holds the database for long. */
const BATCH = 1_000

/** Deletes counts whose time is over, and the oldest beyond `max`: who is counted there starts again at none. */
export function sweepCounts(deps: { db: Db; clock: Clock; max?: number }): Job {
  const { db, clock, max = COUNTS_MAX } = deps
  const run = async () => {
    while ((await removeOver(db, clock(), BATCH)) === BATCH);
    while ((await removeOldest(db, max, BATCH)) === BATCH);
  }
  return { name: 'sweep-counts', everyMs: MINUTE_MS, run }
}
