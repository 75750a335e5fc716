import type { Selectable } from 'kysely'
import type { BillingPeriod, PaidTier } from '#contract/billing/plans.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { Db, Tables, Tx } from '../database/schema.ts'
import { changesRow } from '../database/transact.ts'

export type Checkout = Omit<Selectable<Tables['checkouts']>, 'tier' | 'billing'> & {
  tier: PaidTier
  billing: BillingPeriod
}

/** The payment that the account began, if any. */
export async function findCheckout(
  db: Db,
  workspaceId: WorkspaceId,
): Promise<Checkout | undefined> {
  const row = await db
    .selectFrom('checkouts')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return row as Checkout | undefined
}

/** Replaces the payment with the id `previous`, if any; false if another process was faster. */
export async function beginCheckout(
  db: Db,
  checkout: Checkout,
  previous: string | undefined,
): Promise<boolean> {
  if (previous === undefined) {
    return changesRow(
      db
        .insertInto('checkouts')
        .values(checkout)
        .onConflict((conflict) => conflict.column('workspace_id').doNothing()),
    )
  }
  return changesRow(
    db
      .updateTable('checkouts')
      .set(checkout)
      .where('workspace_id', '=', checkout.workspace_id)
      .where('id', '=', previous),
  )
}

/** Stores where a payment is made in place of the `former` session; false if another one has replaced it. */
export async function storeSession(
  db: Db,
  payment: { id: string; former: string | null; sessionId: string; url: string },
): Promise<boolean> {
  const { id, former, sessionId, url } = payment
  return changesRow(
    db
      .updateTable('checkouts')
      .set({ session_id: sessionId, url })
      .where('id', '=', id)
      .where((row) =>
        row.or([
          row('session_id', 'is not distinct from', former),
          row('session_id', '=', sessionId),
        ]),
      ),
  )
}

/** Removes the account's payment after it has led to a subscription. */
export async function endCheckout(tx: Tx, workspaceId: WorkspaceId): Promise<void> {
  await tx.deleteFrom('checkouts').where('workspace_id', '=', workspaceId).execute()
}
