/**
 * `npm run stripe:relink`: binds Stripe's customers to the accounts of this database after a restore, and brings
 * their plans in line. `-- --dry-run` only says what it would do. It reads the server's environment, may run
 * beside the server, and can be run again at any time.
 */

import pino from 'pino'
import { recordEvent } from '../src/server/audit.ts'
import type { RefreshDeps } from '../src/server/billing/refresh.ts'
import { stripeOf } from '../src/server/billing/stripe/stripe-client.ts'
import { stripeProvider } from '../src/server/billing/stripe/stripe-provider.ts'
import { systemClock as clock } from '../src/server/clock.ts'
import { applyPlan } from '../src/server/codes/change-code.ts'
import { ConfigError, readConfig, type StripeSettings } from '../src/server/config.ts'
import { NOBODY } from '../src/server/database/ids.ts'
import {
  endTestCustomers,
  isOtherMode,
  refuseOtherMode,
} from '../src/server/database/payment-mode.ts'
import type { Db } from '../src/server/database/schema.ts'
import { transact } from '../src/server/database/transact.ts'
import { publisher } from '../src/server/webhooks/events-store.ts'
import { readArguments } from './command.ts'
import { onDatabase } from './existing-database.ts'
import { runCommand } from './run-command.ts'
import { relink } from './stripe/stripe-relinking.ts'

/** The refresh of the service. Servers see where codes lead within seconds, and mail the receipts. */
function refreshingOf(db: Db, settings: StripeSettings): RefreshDeps {
  const log = pino({ level: 'error' }, pino.destination(2))
  return {
    db,
    clock,
    log,
    // The service closes payments that are open beside a plan: this script writes nothing to Stripe.
    provider: { ...stripeProvider({ settings, clock, log }), closeCheckouts: async () => {} },
    onPlanChanged: applyPlan,
    recordPlan: (tx, workspaceId, subject) => {
      const about = { userId: NOBODY, workspaceId, subject }
      return recordEvent(tx, { ...about, actor: 'operator', event: 'plan-changed' }, clock())
    },
    // The service sends it.
    publishPlan: (tx, workspaceId, plan) =>
      publisher(clock, () => {})(tx, workspaceId, 'subscription.updated', async () => [plan]),
    announce: () => {},
    mailReceipts: async () => {},
  }
}

const options = { 'dry-run': { type: 'boolean', default: false } } as const
const { values } = readArguments(options, 'npm run stripe:relink, or -- --dry-run')
async function relinkAll(): Promise<void> {
  const config = readConfig(process.env)
  const { stripe: settings } = config
  if (!settings) throw new ConfigError('STRIPE_SECRET_KEY is required: a key of Stripe')
  await onDatabase(config, async ({ db }) => {
    if (await isOtherMode(db, config)) {
      if (settings.mode === 'test') await refuseOtherMode(db, config)
      console.log('Test customers are forgotten, and their plans end')
      if (!values['dry-run']) await transact(db, endTestCustomers)
    }
    await relink({
      stripe: await stripeOf(settings, { maxNetworkRetries: 2 }),
      refreshing: refreshingOf(db, settings),
      isDry: values['dry-run'],
      say: (line) => console.log(line),
    })
  })
}

await runCommand(relinkAll, 'Not all was read. Run it again')
