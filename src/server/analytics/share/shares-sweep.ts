import { HOUR_MS } from '#contract/time.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/schema.ts'
import type { Job } from '../../jobs/job-runner.ts'
import { removeEnded } from './shares-store.ts'

/** Shares that one statement deletes. */
const BATCH = 1_000

/** Removes shares that have ended. */
export function sweepShares({ db, clock }: { db: Db; clock: Clock }): Job {
  return {
    name: 'sweep-shares',
    everyMs: HOUR_MS,
    run: async () => {
      while ((await removeEnded(db, clock(), BATCH)) === BATCH);
    },
  }
}
