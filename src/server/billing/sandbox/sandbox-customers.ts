import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Db, SandboxCustomersTable, Tx } from '../../database/schema.ts'

export type SandboxCustomer = Selectable<SandboxCustomersTable>

/** The id of the account's customer, made where there is none. */
export async function ensureCustomer(db: Db, userId: string): Promise<string> {
  const row = await db
    .insertInto('sandbox_customers')
    .values({ id: `cus_test_${randomUUID()}`, user_id: userId, card: null })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet((now) => ({ id: now.ref('sandbox_customers.id') })),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export async function findSandboxCustomer(
  db: Db,
  id: string,
): Promise<SandboxCustomer | undefined> {
  return db.selectFrom('sandbox_customers').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Whatever happens to one customer happens in turn: others wait here until this has committed. */
export async function lockCustomer(tx: Tx, id: string): Promise<SandboxCustomer | undefined> {
  return tx
    .updateTable('sandbox_customers')
    .set((now) => ({ clock_offset: now.ref('clock_offset') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function changeCustomer(
  tx: Tx,
  id: string,
  change: Partial<Pick<SandboxCustomer, 'card' | 'credit' | 'clock_offset'>>,
): Promise<void> {
  await tx.updateTable('sandbox_customers').set(change).where('id', '=', id).execute()
}
