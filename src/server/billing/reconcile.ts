import type { FastifyBaseLogger } from 'fastify'
import { MINUTE_MS } from '#contract/time.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/schema.ts'
import type { Job } from '../jobs/job-runner.ts'
import { dueCustomers } from './customers-store.ts'
import { sweepEvents } from './events-store.ts'
import { endTestSubscriptions } from './subscriptions-store.ts'

export type ReconcileDeps = {
  db: Db
  clock: Clock
  log: FastifyBaseLogger
  providerName: string
  refresh: (userId: string) => Promise<void>
}

/** Accounts read in one run: with a run each minute, 28,800 a day. */
const ACCOUNTS_A_RUN = 20

/** Makes up for lost webhooks: reads every account from the provider once a day, or when it is due. */
export function reconciliation(deps: ReconcileDeps): Job[] {
  const { db, clock, providerName } = deps
  const jobs: Job[] = [
    { name: 'reconcile-subscriptions', everyMs: MINUTE_MS, run: () => reconcile(deps) },
    { name: 'sweep-billing-events', everyMs: 60 * MINUTE_MS, run: () => sweepEvents(db, clock()) },
  ]
  if (providerName !== 'stripe') return jobs
  const run = () => endTestSubscriptions(db, clock())
  return [...jobs, { name: 'end-test-subscriptions', everyMs: 60 * MINUTE_MS, run }]
}

async function reconcile({ db, clock, log, providerName, refresh }: ReconcileDeps): Promise<void> {
  const due = { provider: providerName, now: clock(), limit: ACCOUNTS_A_RUN }
  for (const userId of await dueCustomers(db, due)) {
    try {
      await refresh(userId)
    } catch (error) {
      // The account is due again later; the others wait too, because the provider may be down.
      log.warn({ err: error, userId }, 'an account could not be reconciled')
      return
    }
  }
}
