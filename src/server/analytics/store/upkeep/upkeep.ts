import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../../clock.ts'
import type { Database } from '../../../database/connect.ts'
import type { Job } from '../../../jobs.ts'
import { partitionStep } from '../ledger/partitions.ts'
import { forgetStep } from './forgotten-codes.ts'
import { PacksUpkeep } from './packs-upkeep.ts'
import { retentionStep } from './retention.ts'
import { fillTotalsStep } from './totals-filling.ts'
import { UnusedAgents } from './unused-agents.ts'

const EVERY_MS = 25_000
/** Other jobs wait while this one runs. */
const RUN_MS = 2_000

/** Does a little of its work and returns whether there is more to do. */
type Step = (now: Date) => Promise<boolean>

type UpkeepDeps = {
  database: Database
  clock: Clock
  /** Months that the ledger goes back; undefined for ever. Rollups stay. */
  retentionMonths: number | undefined
}

/**
 * Looks after the ledger in short steps: each holds the database for some ten milliseconds and then
 * rests as long. A run ends soon and the next one goes on where it was.
 */
export function ledgerUpkeep({ database, clock, retentionMonths }: UpkeepDeps): Job {
  const agents = new UnusedAgents(database)
  const packs = new PacksUpkeep(database)
  const steps: Step[] = [
    (now) => partitionStep(database, now),
    (now) => fillTotalsStep(database, now),
    (now) => packs.step(now),
    (now) => forgetStep(database, now),
    (now) => retentionStep(database, now, retentionMonths),
    (now) => agents.step(now),
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
  return { name: 'ledger-upkeep', everyMs: EVERY_MS, run: () => run().finally(() => packs.end()) }
}
