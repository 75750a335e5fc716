import type { WorkspaceId } from '../database/ids.ts'
import type { Db, Tx } from '../database/schema.ts'
import type { PaymentRecord } from './provider.ts'

/** The records of an account that are kept: its newest. */
const RECORDS_MAX = 100

/**
 * Stores what the provider has now in place of what was stored of the same objects. Other records stay, such
 * as those of a customer who was deleted there.
 * @param read the ids of all objects that were read, also of those that have no record now
 */
export async function saveRecords(
  tx: Tx,
  owner: { workspace_id: WorkspaceId; provider: string },
  { records, read }: { records: PaymentRecord[]; read: string[] },
): Promise<void> {
  if (read.length === 0) return
  await tx.deleteFrom('payment_records').where('id', 'in', read).execute()
  const newest = records.toSorted((a, b) => b.at - a.at).slice(0, RECORDS_MAX)
  if (newest.length === 0) return
  const rows = newest.map((record) => ({ ...record, ...owner }))
  await tx.insertInto('payment_records').values(rows).execute()
  const own = tx
    .selectFrom('payment_records')
    .select('id')
    .where('workspace_id', '=', owner.workspace_id)
  const kept = own.orderBy('at', 'desc').orderBy('id').limit(RECORDS_MAX)
  await tx
    .deleteFrom('payment_records')
    .where('workspace_id', '=', owner.workspace_id)
    .where('id', 'not in', kept)
    .execute()
}

/** The records of an account as its owner takes them along, the newest first. */
export async function listRecords(db: Db, workspaceId: WorkspaceId) {
  const rows = await db
    .selectFrom('payment_records')
    .select(['id', 'kind', 'amount', 'currency', 'status', 'reason', 'comment', 'at'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(({ at, ...record }) => ({ ...record, at: new Date(at).toISOString() }))
}
