import { DAY_MS, HOUR_MS } from '#contract/time.ts'
import type { Db } from '../../database/schema.ts'
import { BATCH, changedRows, inBatches } from '../../database/transact.ts'

/** How long an app that nobody has connected stays registered. */
const UNUSED_MS = DAY_MS
/** Such apps that are kept at a time: only a flood from very many addresses gets there. */
export const UNUSED_MAX = 10_000
/** An app that was connected this long ago has taken its tokens, or never will. */
const CONNECTED_MS = HOUR_MS

/** Removes what has ended: tokens, apps that have none left, and apps that were registered and not connected. */
export async function sweepApps(db: Db, now: Date, unusedMax = UNUSED_MAX): Promise<void> {
  const at = now.getTime()
  await inBatches(() => removeEnded(db, at))
  await inBatches(() => removeIdle(db, at - CONNECTED_MS))
  const overflow = await unused(db).orderBy('made_at', 'desc').offset(unusedMax).executeTakeFirst()
  const until = Math.max(at - UNUSED_MS, overflow?.made_at ?? 0)
  await inBatches(() => removeUnused(db, until))
}

function removeEnded(db: Db, at: number) {
  const ended = db
    .selectFrom('oauth_records')
    .select(['kind', 'id'])
    .where('ends_at', '<=', at)
    .limit(BATCH)
  return changedRows(
    db
      .deleteFrom('oauth_records')
      .where((row) => row(row.refTuple('kind', 'id'), 'in', ended.$asTuple('kind', 'id'))),
  )
}

/** Removes apps without a token. Their grants end too. */
async function removeIdle(db: Db, until: number): Promise<number> {
  const idle = await db
    .selectFrom('connected_apps')
    .select('id')
    .where('made_at', '<=', until)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('oauth_records')
            .select('oauth_records.id')
            .whereRef('app_id', '=', 'connected_apps.id')
            .where('kind', '<>', 'Grant'),
        ),
      ),
    )
    .limit(BATCH)
    .execute()
  if (idle.length === 0) return 0
  const ids = idle.map(({ id }) => id)
  await db.deleteFrom('oauth_records').where('app_id', 'in', ids).execute()
  return changedRows(db.deleteFrom('connected_apps').where('id', 'in', ids))
}

/** Apps that have registered themselves and are connected to no account. */
const unused = (db: Db) =>
  db
    .selectFrom('oauth_records')
    .select(['id', 'made_at'])
    .where('kind', '=', 'Client')
    .where('id', 'not in', db.selectFrom('connected_apps').select('client_id'))

function removeUnused(db: Db, until: number) {
  const old = unused(db).where('made_at', '<=', until).limit(BATCH)
  return changedRows(
    db
      .deleteFrom('oauth_records')
      .where('kind', '=', 'Client')
      .where('id', 'in', db.selectFrom(old.as('old')).select('old.id')),
  )
}
