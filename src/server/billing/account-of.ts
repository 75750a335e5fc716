import { sql } from 'kysely'
import type { WorkspaceId } from '../database/ids.ts'
import type { Db } from '../database/schema.ts'

/** The columns that have ids of a provider's objects. */
const COLUMNS = {
  customers: 'customer_id',
  subscriptions: 'subscription_id',
  checkouts: 'session_id',
  payment_records: 'id',
}

/** The account that a table has for a provider's object; undefined if the object is not ours. */
export async function accountOf(
  db: Db,
  table: keyof typeof COLUMNS,
  { provider, id }: { provider: string; id: string },
): Promise<WorkspaceId | undefined> {
  const [from, column] = [sql.table(table), sql.ref(COLUMNS[table])]
  const query = sql<{ workspace_id: WorkspaceId }>`select workspace_id from ${from}
    where ${column} = ${id} and provider = ${provider}`
  return (await query.execute(db)).rows[0]?.workspace_id
}
