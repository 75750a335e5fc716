import type { Job } from '../../jobs/job-runner.ts'
import type { PaymentProvider } from '../provider.ts'
import { inTurn, type SandboxDeps } from './customer-turn.ts'
import { type DeliveryDeps, EventDelivery } from './event-delivery.ts'
import { sandboxProvider } from './sandbox-provider.ts'
import { sweepSandboxSessions } from './sandbox-sessions.ts'
import { dueSandboxCustomers } from './sandbox-subscriptions.ts'

/** The sandbox as a whole: the provider that the billing room sees, and what its pages need. */
export type Sandbox = { deps: SandboxDeps; provider: PaymentProvider; jobs: Job[] }

const HOUR_MS = 60 * 60 * 1000

export function createSandbox(own: DeliveryDeps & { publicUrl: string }): Sandbox {
  const deps = { ...own, events: new EventDelivery(own) }
  const run = () => settle(deps)
  return {
    deps,
    provider: sandboxProvider(deps),
    jobs: [{ name: 'sandbox', everyMs: HOUR_MS, run }],
  }
}

/** What time brings: renewals, attempts, ends; and events that could not be delivered before. */
async function settle(deps: SandboxDeps): Promise<void> {
  for (const id of await dueSandboxCustomers(deps.db, deps.clock())) {
    await inTurn(deps, id, async () => {})
  }
  await deps.events.deliver()
  await sweepSandboxSessions(deps.db, deps.clock())
}
