import type { FastifyBaseLogger } from 'fastify'
import { serverFor } from '../actor.ts'
import type { WorkspaceId } from '../database/ids.ts'
import { deleteWhere } from '../database/rows.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { findCustomer, listCustomers } from './customers-store.ts'
import { liveSubscription } from './entitlements.ts'
import { listRecords } from './payment-records-store.ts'
import type { Payments } from './routes.ts'
import { removeCustomerOf } from './sandbox/sandbox-store.ts'
import { findSubscription } from './subscriptions-store.ts'

/** The tables of billing with rows of an account, without the sandbox's. */
const TABLES = ['customers', 'checkouts', 'payment_records', 'subscriptions'] as const

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
        for (const table of TABLES) {
          await deleteWhere(tx, table, { workspace_id: workspaceId }).execute()
        }
      })
    },
  }
}
