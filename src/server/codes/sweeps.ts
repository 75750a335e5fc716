import { HOUR_MS } from '#contract/time.ts'
import type { Clock } from '../clock.ts'
import type { Db, Tx } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { Job } from '../jobs/job-runner.ts'
import {
  bringBack,
  ownerOfFullBin,
  type RemovedCode,
  removeBinSurplus,
  removeDeleted,
  removeStaleDrafts,
} from './codes-store.ts'
import { releaseKeys, reserveKeys } from './paths-store.ts'
import { BIN_LIFE_MS, BIN_MAX, DRAFT_LIFE_MS } from './rules.ts'

/** Codes in one transaction, so that none holds the database for long. */
const BATCH = 200

export type SweepDeps = {
  db: Db
  clock: Clock
  /** Removes the recorded scans of these codes. */
  forgetScans: (tx: Tx, codes: RemovedCode[]) => Promise<void>
}

/**
 * Deletes old drafts, and purges codes with their scans: after 30 days in the bin, and the first deleted
 * of a bin that is too full. Their names stay reserved.
 */
export function codeSweeps({ db, clock, forgetScans }: SweepDeps): Job[] {
  async function sweepDrafts() {
    await bringBack(db, clock())
    const before = clock().getTime() - DRAFT_LIFE_MS
    await inBatches(db, async (tx) => {
      const ids = await removeStaleDrafts(tx, before, BATCH)
      await releaseKeys(tx, ids)
      return ids.length
    })
  }

  async function purgeBin() {
    await bringBack(db, clock())
    const before = clock().getTime() - BIN_LIFE_MS
    await purge((tx) => removeDeleted(tx, before, BATCH))
    for (;;) {
      const owner = await ownerOfFullBin(db, BIN_MAX)
      if (owner === undefined) return
      await purge((tx) => removeBinSurplus(tx, owner, { keep: BIN_MAX, limit: BATCH }))
    }
  }

  async function purge(remove: (tx: Tx) => Promise<RemovedCode[]>) {
    await inBatches(db, async (tx) => {
      const codes = await remove(tx)
      await reserveKeys(
        tx,
        codes.map(({ id }) => id),
      )
      await forgetScans(tx, codes)
      return codes.length
    })
  }

  return [
    { name: 'sweep-drafts', everyMs: HOUR_MS, run: sweepDrafts },
    { name: 'purge-bin', everyMs: HOUR_MS, run: purgeBin },
  ]
}

/** Runs one batch a transaction until a batch is not full. */
async function inBatches(db: Db, handle: (tx: Tx) => Promise<number>): Promise<void> {
  while ((await transact(db, handle)) === BATCH);
}
