import type { FastifyBaseLogger } from 'fastify'
import { serverFor } from '../actor.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { endCheckout } from './checkouts-store.ts'
import { findCustomer, listCustomers, removeCustomers } from './customers-store.ts'
import { liveSubscription } from './entitlements.ts'
import { listRecords, removeRecords } from './payment-records-store.ts'
import type { Payments } from './routes.ts'
import { removeCustomerOf } from './sandbox/sandbox-store.ts'
import { findSubscription, removeSubscription } from './subscriptions-store.ts'

type Deps = { db: Db; log: FastifyBaseLogger; payments: Payments | undefined }

/** The steps of billing when an account is deleted. Each can be repeated. */
export function endOfAccount({ db, log, payments }: Deps) {
  return {
    /** The plan and its payments as the owner takes them along; null for an account that never had any. */
    async planOf(workspaceId: WorkspaceId) {
      const row = await findSubscription(db, workspaceId)
      const payments = await listRecords(db, workspaceId)
      if (!row) return payments.length > 0 ? { payments } : null
      const { tier, status, billing, current_period_end, ends_at_period_end } = row
      return {
        tier,
        status,
        billing,
        endsWithPeriod: ends_at_period_end === 1,
        currentPeriodEnd: current_period_end ? new Date(current_period_end).toISOString() : null,
        payments,
      }
    },

    /**
     * The plan stays until the end of what is paid, and does not renew.
     * @throws AppError payments_unavailable, payment_refused
     */
    async stopRenewal(workspaceId: WorkspaceId): Promise<void> {
      if (!payments) return
      const { provider, refresh } = payments
      const customer = await findCustomer(db, provider.name, workspaceId)
      if (!customer) return
      await provider.closeCheckouts(customer.customer_id)
      const live = liveSubscription(await provider.subscriptionsOf(customer.customer_id))
      if (!live || live.endsAtPeriodEnd) return
      await provider.setCancelAtPeriodEnd(live.id, true)
      await refresh(serverFor(workspaceId))
    },

    /**
     * The plan ends at once, and the provider forgets the customer.
     * @throws AppError payments_unavailable, payment_refused
     */
    async endPlan(workspaceId: WorkspaceId): Promise<void> {
      for (const { provider, customer_id } of await listCustomers(db, workspaceId)) {
        if (provider === payments?.provider.name) {
          await payments.provider.forgetCustomer(customer_id)
        } else if (provider !== 'sandbox') {
          log.error(
            { provider, customer_id },
            'end this customer’s plan by hand: its provider is off',
          )
        }
      }
      await transact(db, async (tx) => {
        await removeCustomerOf(tx, workspaceId)
        await removeCustomers(tx, workspaceId)
        await endCheckout(tx, workspaceId)
        await removeRecords(tx, workspaceId)
        await removeSubscription(tx, workspaceId)
      })
    },
  }
}
