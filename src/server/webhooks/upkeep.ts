import { EVENT_DAYS } from '#contract/integrations/webhook-values.ts'
import { DAY_MS } from '#contract/time.ts'
import { clampFutureTimes } from '../clock.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { Db } from '../database/schema.ts'
import { BATCH, inBatches, transact } from '../database/transact.ts'
import type { RoomDeps } from '../room.ts'
import { countWaiting, dropOldestScans, forgetListed } from './deliveries-store.ts'
import { listenersTo } from './endpoints-store.ts'
import { findMark, moveMark, type publisher } from './events-store.ts'

type Deps = Pick<RoomDeps, 'db' | 'clock'>

/** Deliveries that may wait for one endpoint, and those that stay listed. */
const WAITING_MAX = 100_000
const LISTED_MAX = 10_000

/** Keeps the deliveries of each endpoint within bounds: the oldest scan events go, and no other event. */
export async function trimWebhooks(db: Db, waitingMax = WAITING_MAX): Promise<void> {
  const endpoints = await db.selectFrom('webhook_endpoints').select('id').execute()
  for (const { id } of endpoints) {
    await inBatches(async () => {
      const excess = (await countWaiting(db, id, waitingMax + BATCH)) - waitingMax
      return excess > 0 ? dropOldestScans(db, id, excess) : 0
    })
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
    .limit(BATCH)
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
    .limit(BATCH)
  await sweep(withoutEndpoint, (seqs) =>
    db.deleteFrom('webhook_deliveries').where('seq', 'in', seqs).execute(),
  )
  // An event and its deliveries are written in one transaction.
  const withoutDelivery = db
    .selectFrom('webhook_events')
    .leftJoin('webhook_deliveries', 'webhook_deliveries.event_seq', 'webhook_events.seq')
    .select('webhook_events.seq')
    .where('webhook_deliveries.seq', 'is', null)
    .limit(BATCH)
  await sweep(withoutDelivery, (seqs) =>
    db.deleteFrom('webhook_events').where('seq', 'in', seqs).execute(),
  )
}

/** Searches apart from the write: a search may look at many rows, and a writer would wait for it. */
function sweep(found: Found, remove: (seqs: number[]) => Promise<unknown>): Promise<void> {
  return inBatches(async () => {
    const seqs = (await found.execute()).map(({ seq }) => seq)
    if (seqs.length > 0) await remove(seqs)
    return seqs.length
  })
}

export type ExpiredDeps = Deps & {
  /** The codes of these accounts that stopped working after `from`, up to `until`. */
  expiredCodes: (
    db: Db,
    asked: { workspaceIds: WorkspaceId[]; from: number; until: number },
  ) => Promise<{ workspaceId: WorkspaceId; data: object }[]>
  publish: ReturnType<typeof publisher>
}

const MARK = 'expired'

/** Writes events of the codes that have stopped working since the last round. */
export async function publishExpired({ db, clock, expiredCodes, publish }: ExpiredDeps) {
  const until = clock().getTime()
  const mark = await findMark(db, MARK)
  const from = Math.min(mark?.at ?? until, until)
  const workspaceIds = [
    ...new Set((await listenersTo(db, 'code.expired')).map((one) => one.workspace_id)),
  ]
  await transact(db, async (tx) => {
    if (!(await moveMark(tx, MARK, { from: mark, to: { at: until, place: '' } }))) return
    if (workspaceIds.length === 0 || from === until) return
    const codes = await expiredCodes(tx, { workspaceIds, from, until })
    for (const [workspaceId, own] of Map.groupBy(codes, (code) => code.workspaceId)) {
      await publish(tx, workspaceId, 'code.expired', async () => own.map(({ data }) => data))
    }
  })
}
