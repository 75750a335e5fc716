import { type Config, ConfigError, type StripeSettings } from '../config.ts'
import { addNew } from './rows.ts'
import type { Db, Tx } from './schema.ts'
import { findMark } from './service-marks.ts'

/** Stripe keeps test and live customers apart: a key knows those of its own mode only. */
export type PaymentMode = StripeSettings['mode']

/** Notes the mode of a key that has read a customer of this database: the first one stays. */
export async function noteMode(tx: Tx, mode: PaymentMode, now: Date): Promise<void> {
  await addNew(tx, 'service_marks', { name: 'payments', at: now.getTime(), value: mode })
}

/** Whether the key is of the other mode than the customers of this database. */
export async function isOtherMode(db: Db, { stripe }: Pick<Config, 'stripe'>): Promise<boolean> {
  const mark = await findMark(db, 'payments')
  return mark !== undefined && stripe !== undefined && mark.value !== stripe.mode
}

/**
 * Refuses a key that finds none of the customers who pay. Call it after the migrations.
 * @throws ConfigError
 */
export async function refuseOtherMode(db: Db, config: Config): Promise<void> {
  if (!(await isOtherMode(db, config))) return
  const says =
    config.stripe?.mode === 'live'
      ? 'a live key, but this database has test customers: npm run stripe:relink ends their plans'
      : 'a test key, but this database has live customers: set the live key'
  throw new ConfigError(`STRIPE_SECRET_KEY is ${says}`)
}

/** Forgets test customers when live payments begin. Their plans end as those of the sandbox do. */
export async function endTestCustomers(tx: Tx): Promise<void> {
  await tx.deleteFrom('customers').where('provider', '=', 'stripe').execute()
  await tx.deleteFrom('former_customers').where('provider', '=', 'stripe').execute()
  await tx.deleteFrom('checkouts').where('provider', '=', 'stripe').execute()
  const bought = tx.updateTable('subscriptions').where('provider', '=', 'stripe')
  await bought.set({ provider: 'sandbox' }).execute()
  await tx.deleteFrom('service_marks').where('name', '=', 'payments').execute()
}
