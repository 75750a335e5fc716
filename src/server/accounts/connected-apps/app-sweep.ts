import type { Db } from '../../database/schema.ts'
import { BATCH, changedRows, inBatches } from '../../database/transact.ts'
import { forgetApp, IDLE_MS } from './apps-store.ts'

/** Removes tokens, registrations and requests that have ended, and apps that have long made no call. */
export async function sweepApps(db: Db, now: Date): Promise<void> {
  const at = now.getTime()
  const ended = db.selectFrom('oauth_records').select(['kind', 'id']).where('ends_at', '<=', at)
  await inBatches(() =>
    changedRows(
      db
        .deleteFrom('oauth_records')
        .where((row) =>
          row(row.refTuple('kind', 'id'), 'in', ended.limit(BATCH).$asTuple('kind', 'id')),
        ),
    ),
  )
  const idle = db
    .selectFrom('connected_apps')
    .select('id')
    .where((row) => row(row.fn.coalesce('used_at', 'made_at'), '<=', at - IDLE_MS))
  for (const { id } of await idle.execute()) await forgetApp(db, id)
}
