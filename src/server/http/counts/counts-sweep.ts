import { MINUTE_MS } from '#contract/time.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/schema.ts'
import type { Job } from '../../jobs/job-runner.ts'
import { type Counted, counted } from '../limits.ts'
import { removeOld, removeOver, removeUnknown, tooOld } from './counts-store.ts'

/** Counts that are kept: some 40 MB. Only a flood from very many addresses gets there. */
export const COUNTS_MAX = 200_000
/** Rows in one statement, so that none holds the database for long. */
const BATCH = 1_000

/** Deletes counts whose time is over, and the oldest beyond `max`: who is counted there starts again at none. */
export function sweepCounts(deps: { db: Db; clock: Clock; max?: number }): Job {
  const { db, clock, max = COUNTS_MAX } = deps
  const run = async () => {
    for (const name of Object.keys(counted) as Counted[]) {
      await inBatches(() => removeOver(db, name, clock(), BATCH))
    }
    await inBatches(() => removeUnknown(db, BATCH))
    const until = await tooOld(db, max)
    if (until !== undefined) await inBatches(() => removeOld(db, until, BATCH))
  }
  return { name: 'sweep-counts', everyMs: MINUTE_MS, run }
}

async function inBatches(remove: () => Promise<number>) {
  while ((await remove()) === BATCH);
}
