import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { INVOICES_MAX, type Invoice } from '#contract/billing.ts'
import type { Db, SandboxInvoicesTable, Tx } from '../../database/schema.ts'

type SandboxInvoice = Selectable<SandboxInvoicesTable>

/** Newest first. */
export async function listInvoices(db: Db, customerId: string): Promise<Invoice[]> {
  const rows = await db
    .selectFrom('sandbox_invoices')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('serial', 'desc')
    .limit(INVOICES_MAX)
    .execute()
  return rows.map(presentInvoice)
}

function presentInvoice({ id, serial, at, amount, status }: SandboxInvoice): Invoice {
  return {
    ...{ id, amount, status, currency: 'usd', url: null },
    number: `TEST-${String(serial).padStart(4, '0')}`,
    date: new Date(at).toISOString(),
  }
}

/** Writes an invoice under the customer's next number; the customer must be locked. */
export async function addInvoice(
  tx: Tx,
  customerId: string,
  invoice: Pick<SandboxInvoice, 'at' | 'amount' | 'status'>,
): Promise<void> {
  const { last } = await tx
    .selectFrom('sandbox_invoices')
    .select((row) => row.fn.max('serial').as('last'))
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow()
  const id = `in_test_${randomUUID()}`
  await tx
    .insertInto('sandbox_invoices')
    .values({ id, customer_id: customerId, serial: Number(last ?? 0) + 1, ...invoice })
    .execute()
}

/** Settles the invoice that waits for its payment: paid, or given up. */
export async function closeInvoices(
  tx: Tx,
  customerId: string,
  status: 'paid' | 'uncollectible',
): Promise<void> {
  await tx
    .updateTable('sandbox_invoices')
    .set({ status })
    .where('customer_id', '=', customerId)
    .where('status', '=', 'open')
    .execute()
}
