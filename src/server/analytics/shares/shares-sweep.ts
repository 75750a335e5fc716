import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/schema.ts'
import type { Job } from '../../jobs/job-runner.ts'
import { removeEnded } from './shares-store.ts'

const HOUR_MS = 60 * 60 * 1000
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
