import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE_MS } from '#contract/time.ts'
import type { Database } from '../../../database/connect.ts'
import type { Db } from '../../../database/schema.ts'
import { transact } from '../../../database/transact.ts'
import { firstDayOfMonth, monthOf, utcDay } from '../../../dates.ts'
import type { Job } from '../../../jobs.ts'
import type { RoomDeps } from '../../../room.ts'
import { WorkThreads } from '../../../work-threads.ts'
import { noteLedgerChange, raiseFirstCompleteDay } from '../ledger/marks.ts'
import { dropPartitionsBefore, partitionStep } from '../ledger/partitions.ts'
import { dayToJoin, nextStretch } from '../packs/packing.ts'
import { changePacks, packsState, removePacks } from '../packs/packs-store.ts'
import { idFromDay } from '../scan-ids.ts'
import { forgetStep, hasPacksToForget } from './forgotten-codes.ts'
import type { PackingTask } from './packs-thread.ts'
import { fillTotalsStep } from './totals-filling.ts'
import { unusedAgents } from './unused-agents.ts'

const EVERY_MS = 25_000
/** Other jobs wait while this one runs. */
const RUN_MS = 2_000

/** Packing takes some hundred milliseconds a step, and this thread has redirects to answer. */
export const PACKING = {
  thread: new URL('./packs-thread.ts', import.meta.url),
  taskMs: MINUTE_MS,
  idleMs: 10_000,
  memory: { maxOldGenerationSizeMb: 512 },
}

/** Does a little of its work and returns whether there is more to do. */
type Step = (now: Date) => Promise<boolean>

export type UpkeepDeps = Pick<RoomDeps, 'database' | 'clock'> & {
  /** Months that the ledger goes back; undefined for ever. Rollups stay. */
  retentionMonths: number | undefined
  /** In tests: does a step of the packs in this thread */
  keepPacks?: Step | undefined
}

/**
 * Looks after the ledger in short steps: each holds the database for some ten milliseconds and then
 * rests as long. A run ends soon and the next one goes on where it was.
 */
export function ledgerUpkeep({ database, clock, retentionMonths, ...deps }: UpkeepDeps): Job {
  const { location, reads } = database
  const packing = new WorkThreads<PackingTask, boolean>(PACKING)
  const inThread: Step = (now) => packing.perform({ location, now: now.getTime() })
  const keepPacks = deps.keepPacks ?? inThread
  const steps: Step[] = [
    (now) => partitionStep(database, now),
    (now) => fillTotalsStep(database, now),
    async (now) => (await hasPacking(reads, now)) && keepPacks(now),
    (now) => forgetStep(database, now),
    (now) => retentionStep(database, now, retentionMonths),
    unusedAgents(database),
  ]

  /** A run begins behind the step at which the last one's time was over: none waits for ever. */
  let first = 0

  async function run() {
    const end = performance.now() + RUN_MS
    let left = [...steps.slice(first), ...steps.slice(0, first)]
    while (left.length > 0) {
      const more: Step[] = []
      for (const step of left) {
        const start = performance.now()
        if (await step(clock())) more.push(step)
        first = (steps.indexOf(step) + 1) % steps.length
        if (performance.now() > end) return
        await sleep(performance.now() - start)
      }
      left = more
    }
  }
  return { name: 'ledger-upkeep', everyMs: EVERY_MS, run: () => run().finally(() => packing.end()) }
}

/** Whether the packs may lack something. The thread starts only then. */
async function hasPacking(reads: Db, now: Date): Promise<boolean> {
  const state = await packsState(reads)
  return (
    (await nextStretch(reads, state, now)) !== undefined ||
    (await dayToJoin(reads, state)) !== undefined ||
    (await hasPacksToForget(reads))
  )
}

/** Scans, and parts of packs, that go in one step */
const ROWS = 2_000
const PARTS = 100

/**
 * Removes some scans of months before the last `months` whole ones from the ledger and its packs; their
 * rollups stay. Returns whether there is more to do. On PostgreSQL whole partitions go at once.
 */
export async function retentionStep(database: Database, now: Date, months: number | undefined) {
  if (months === undefined) return false
  const { db, reads, location } = database
  const day = firstDayOfMonth(monthOf(utcDay(now.getTime())) - months)
  const state = await packsState(reads)
  const parts = reads.selectFrom('scan_packs').select(['workspace_id', 'day', 'part'])
  const gone = await parts.where('day', '<', day).limit(PARTS).execute()
  if (gone.length > 0) {
    await raiseFirstCompleteDay(db, day)
    await changePacks(database, state, (tx) => removePacks(tx, gone), { mayFold: true })
    return true
  }
  if (location.engine === 'postgres' && (await dropPartitionsBefore(database, day))) return true
  const scans = reads.selectFrom('scans').select('id').where('id', '<', idFromDay(day))
  const last = (await scans.orderBy('id').limit(ROWS).execute()).at(-1)
  if (!last) return false
  await raiseFirstCompleteDay(db, day)
  await transact(db, async (tx) => {
    await noteLedgerChange(tx)
    await tx.deleteFrom('scans').where('id', '<=', last.id).execute()
  })
  return true
}
