import { EVENT_DAYS } from '#contract/programs/webhook-values.ts'
import { DAY_MS } from '#contract/time.ts'
import { type Clock, clampFutureTimes } from '../clock.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { countWaiting, dropOldestScans, forgetListed } from './deliveries-store.ts'

type Deps = {
  db: Db
  clock: Clock
  /** In tests: most deliveries that wait for an endpoint */
  waitingMax?: number
}

/** Deliveries that may wait for one endpoint, and those that stay listed. */
const WAITING_MAX = 100_000
const LISTED_MAX = 10_000
/** Rows in one statement */
const ROWS_AT_ONCE = 1_000

/** Keeps the deliveries of each endpoint within bounds: the oldest scan events go, and no other event. */
export async function trimWebhooks({ db, waitingMax = WAITING_MAX }: Deps): Promise<void> {
  const endpoints = await db.selectFrom('webhook_endpoints').select('id').execute()
  for (const { id } of endpoints) {
    let dropped = 0
    do {
      const excess = (await countWaiting(db, id, waitingMax + ROWS_AT_ONCE)) - waitingMax
      dropped = excess > 0 ? await dropOldestScans(db, id, excess) : 0
    } while (dropped === ROWS_AT_ONCE)
    await forgetListed(db, id, LISTED_MAX)
  }
}

type Found = { execute: () => Promise<{ seq: number }[]> }

/** Removes events that are 30 days old, and what no endpoint has any more. */
export async function sweepWebhooks({ db, clock }: Deps): Promise<void> {
  const now = clock()
  await clampFutureTimes(db, 'webhook_events', 'at', now)
  const old = db
    .selectFrom('webhook_events')
    .select('seq')
    .where('at', '<', now.getTime() - EVENT_DAYS * DAY_MS)
    .limit(ROWS_AT_ONCE)
  await sweep(old, (seqs) =>
    transact(db, async (tx) => {
      await tx.deleteFrom('webhook_deliveries').where('event_seq', 'in', seqs).execute()
      await tx.deleteFrom('webhook_events').where('seq', 'in', seqs).execute()
    }),
  )
  const withoutEndpoint = db
    .selectFrom('webhook_deliveries')
    .select('seq')
    .where('endpoint_id', 'not in', db.selectFrom('webhook_endpoints').select('id'))
    .limit(ROWS_AT_ONCE)
  await sweep(withoutEndpoint, (seqs) =>
    db.deleteFrom('webhook_deliveries').where('seq', 'in', seqs).execute(),
  )
  // An event and its deliveries are written in one transaction.
  const withoutDelivery = db
    .selectFrom('webhook_events')
    .leftJoin('webhook_deliveries', 'webhook_deliveries.event_seq', 'webhook_events.seq')
    .select('webhook_events.seq')
    .where('webhook_deliveries.seq', 'is', null)
    .limit(ROWS_AT_ONCE)
  await sweep(withoutDelivery, (seqs) =>
    db.deleteFrom('webhook_events').where('seq', 'in', seqs).execute(),
  )
}

/** Searches apart from the write: a search may look at many rows, and a writer would wait for it. */
async function sweep(found: Found, remove: (seqs: number[]) => Promise<unknown>): Promise<void> {
  for (;;) {
    const seqs = (await found.execute()).map(({ seq }) => seq)
    if (seqs.length > 0) await remove(seqs)
    if (seqs.length < ROWS_AT_ONCE) return
  }
}
