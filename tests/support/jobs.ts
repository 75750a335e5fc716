import { takeLease } from '../../src/server/jobs.ts'
import type { Service } from './service.ts'
import type { Tessera } from './tessera.ts'

/** As long as the job's own lease */
const UPKEEP_MS = 25_000

/** Runs the jobs that are due, but for the upkeep of the ledger, which takes as long as all the others. */
export async function runJobs({ app, clock, database }: Tessera): Promise<void> {
  const lease = { name: 'ledger-upkeep', holder: 'a test', forMs: UPKEEP_MS }
  await takeLease(database.db, lease, clock.now())
  await app.jobs.runDue()
}

/** Runs the jobs that are due once this time has passed. */
export async function jobsAfter({ app, clock }: Service, milliseconds: number): Promise<void> {
  clock.advance(milliseconds)
  await app.jobs.runDue()
}
