import { sql } from 'kysely'
import { MINUTE_MS } from '#contract/time.ts'
import { lockWorkspace } from '../actor.ts'
import type { WorkspaceId } from '../database/ids.ts'
import { addNew, deleteWhere, rowsWhere, updateWhere } from '../database/rows.ts'
import type { Tx } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { Job } from '../jobs.ts'
import { endCheckout } from './checkouts-store.ts'
import { isEntitled } from './entitlements.ts'
import type { PaymentProvider } from './provider.ts'
import { changePlan, type PlanDeps } from './refresh.ts'
import { removeCustomerOf } from './sandbox/sandbox-store.ts'

/** Rows that one run of the job handles */
const A_RUN = 100

/**
 * The plan of a workspace that gets another owner. What the former owner has paid counts until its end. Their
 * customer ends at the provider, so that they pay nothing more, and the new owner buys a plan as a new customer.
 */
export function takingOver(deps: PlanDeps & { provider: PaymentProvider | undefined }) {
  const { db, clock, log, provider } = deps

  /** The part of a hand-over's transaction, under the workspace's lock. `endFormer` comes after the commit. */
  async function takeOverPlan(tx: Tx, workspaceId: WorkspaceId): Promise<void> {
    const its = { workspace_id: workspaceId }
    await removeCustomerOf(tx, workspaceId)
    const former = await deleteWhere(tx, 'customers', its)
      .returning(['provider', 'customer_id'])
      .execute()
    const outside = former.filter(({ provider }) => provider !== 'sandbox')
    if (outside.length > 0) await addNew(tx, 'former_customers', outside)
    await endCheckout(tx, workspaceId)
    await changePlan(deps, tx, workspaceId, async (row) => {
      // A plan that the operator gave stays as it is.
      if (!row?.provider) return
      const paid = {
        subscription_id: null,
        billing: null,
        status: isEntitled(row) ? 'active' : 'canceled',
        ends_at_period_end: 1,
        next_tier: null,
        next_billing: null,
        next_at: null,
        discount: null,
      }
      await updateWhere(tx, 'subscriptions', its).set(paid).execute()
    })
  }

  /** Ends the customers of former owners at the provider. The job asks again for those that it has not ended. */
  async function endFormer(): Promise<void> {
    if (!provider) return
    const waiting = rowsWhere(db, 'former_customers', { provider: provider.name })
    // In random order, so that none always holds up the others.
    for (const row of await waiting.orderBy(sql`random()`).limit(A_RUN).execute()) {
      try {
        await provider.closeCheckouts(row.customer_id)
        await provider.forgetCustomer(row.customer_id)
        await deleteWhere(db, 'former_customers', row).execute()
      } catch (error) {
        log.warn({ err: error, ...row }, 'the customer of a former owner still pays')
        return
      }
    }
  }

  /** Ends the plans of former owners whose paid period is over. */
  async function endPaidPeriods(): Promise<void> {
    const now = clock().getTime()
    const over = rowsWhere(db, 'subscriptions', { subscription_id: null, status: 'active' })
      .where('provider', 'is not', null)
      .where((row) => row(row.fn.coalesce('current_period_end', row.lit(0)), '<=', now))
    for (const { workspace_id } of await over.limit(A_RUN).execute()) {
      await transact(db, async (tx) => {
        await lockWorkspace(tx, workspace_id)
        const its = { workspace_id, subscription_id: null, status: 'active' }
        const end = updateWhere(tx, 'subscriptions', its).set((row) => ({
          status: 'canceled',
          ended_at: row.ref('current_period_end'),
        }))
        await changePlan(deps, tx, workspace_id, async () => {
          await end.where('provider', 'is not', null).execute()
        })
      })
    }
  }

  const job: Job = {
    name: 'end-former-plans',
    everyMs: MINUTE_MS,
    run: async () => {
      await endFormer()
      await endPaidPeriods()
    },
  }
  return { takeOverPlan, endFormer, job }
}
