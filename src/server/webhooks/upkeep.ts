import { EVENT_DAYS } from '#contract/programs/webhook-values.ts'
import { DAY_MS } from '#contract/time.ts'
import { type Clock, clampFutureTimes } from '../clock.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { newEventId, payloadOf } from './events-store.ts'
import { SCANS_LINE } from './order.ts'
import { mergedScans, type ScansTold } from './scan-events.ts'

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
/** Scan events that become one in one step */
const MERGED_AT_ONCE = 500

/** Keeps what waits, and what is listed, within its bounds. */
export async function trimWebhooks({ db, clock, waitingMax = WAITING_MAX }: Deps): Promise<void> {
  const ids = await db.selectFrom('webhook_endpoints').select('id').execute()
  for (const { id } of ids) {
    for (;;) {
      const excess = await waitingBeyond(db, id, waitingMax)
      if (excess === 0) break
      const merged = await mergeScans(db, id, excess, clock().getTime())
      if (merged === 0) await dropOldest(db, id, Math.min(excess, ROWS_AT_ONCE))
    }
    await forgetListed(db, id)
  }
}

/** How many more wait than may; as far as one round looks. */
async function waitingBeyond(db: Db, endpoint: string, max: number): Promise<number> {
  const beyond = db
    .selectFrom('webhook_deliveries')
    .select('seq')
    .where('endpoint_id', '=', endpoint)
    .where('state', '=', 'waiting')
    .orderBy('seq', 'desc')
    .offset(max)
    .limit(ROWS_AT_ONCE)
  const { count } = await db
    .selectFrom(beyond.as('beyond'))
    .select((row) => row.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Makes one of the oldest scan events that were never tried. The first of them may be on its way, and
 * stays. @returns how many fewer wait
 */
async function mergeScans(db: Db, endpoint: string, excess: number, at: number): Promise<number> {
  return transact(db, async (tx) => {
    const oldest = await tx
      .selectFrom('webhook_deliveries')
      .innerJoin('webhook_events', 'webhook_events.seq', 'webhook_deliveries.event_seq')
      .select(['webhook_deliveries.seq', 'event_seq', 'payload', 'user_id'])
      .where('endpoint_id', '=', endpoint)
      .where('state', '=', 'waiting')
      .where('line', '=', SCANS_LINE)
      .where('attempts', '=', 0)
      .orderBy('webhook_deliveries.seq')
      .limit(Math.min(excess + 1, MERGED_AT_ONCE))
      .offset(1)
      .execute()
    const last = oldest.at(-1)
    if (!last || oldest.length < 2) return 0
    const parts = oldest.map(({ payload }) => (JSON.parse(payload) as { data: ScansTold }).data)
    const payload = payloadOf('code.scanned', at, mergedScans(parts))
    const event = { id: newEventId(), user_id: last.user_id, type: 'code.scanned', at, payload }
    const { seq } = await tx
      .insertInto('webhook_events')
      .values(event)
      .returning('seq')
      .executeTakeFirstOrThrow()
    const others = oldest.slice(0, -1).map((one) => one.seq)
    await tx.deleteFrom('webhook_deliveries').where('seq', 'in', others).execute()
    await tx
      .updateTable('webhook_deliveries')
      .set({ event_seq: seq })
      .where('seq', '=', last.seq)
      .execute()
    const told = oldest.map((one) => one.event_seq)
    await tx.deleteFrom('webhook_events').where('seq', 'in', told).execute()
    return others.length
  })
}

/** Gives up the oldest of what waits. */
async function dropOldest(db: Db, endpoint: string, count: number): Promise<void> {
  const oldest = db
    .selectFrom('webhook_deliveries')
    .select('seq')
    .where('endpoint_id', '=', endpoint)
    .where('state', '=', 'waiting')
    .orderBy('seq')
    .limit(count)
  await db
    .updateTable('webhook_deliveries')
    .set({ state: 'dropped' })
    .where('seq', 'in', oldest)
    .execute()
}

async function forgetListed(db: Db, endpoint: string): Promise<void> {
  const row = await db
    .selectFrom('webhook_deliveries')
    .select('seq')
    .where('endpoint_id', '=', endpoint)
    .where('state', '!=', 'waiting')
    .orderBy('seq', 'desc')
    .offset(LISTED_MAX)
    .limit(1)
    .executeTakeFirst()
  if (!row) return
  await db
    .deleteFrom('webhook_deliveries')
    .where('endpoint_id', '=', endpoint)
    .where('state', '!=', 'waiting')
    .where('seq', '<=', row.seq)
    .execute()
}

/** Removes events that are 30 days old, or that no endpoint has any more. */
export async function sweepWebhooks({ db, clock }: Deps): Promise<void> {
  const now = clock()
  await clampFutureTimes(db, 'webhook_events', 'at', now)
  const before = now.getTime() - EVENT_DAYS * DAY_MS
  while ((await forgetOld(db, before)) === ROWS_AT_ONCE);
  while ((await forgetUnowned(db)) === ROWS_AT_ONCE);
  while ((await forgetUnsent(db)) === ROWS_AT_ONCE);
}

/** The search comes first and alone: it may look at many rows, and a writer would wait for it. */
async function forgetOld(db: Db, before: number): Promise<number> {
  const old = db.selectFrom('webhook_events').select('seq').where('at', '<', before)
  const seqs = seqsOf(await old.limit(ROWS_AT_ONCE).execute())
  if (seqs.length === 0) return 0
  await transact(db, async (tx) => {
    await tx.deleteFrom('webhook_deliveries').where('event_seq', 'in', seqs).execute()
    await tx.deleteFrom('webhook_events').where('seq', 'in', seqs).execute()
  })
  return seqs.length
}

/** Deliveries to an endpoint that was removed. */
async function forgetUnowned(db: Db): Promise<number> {
  const gone = db
    .selectFrom('webhook_deliveries')
    .select('seq')
    .where('endpoint_id', 'not in', db.selectFrom('webhook_endpoints').select('id'))
  const seqs = seqsOf(await gone.limit(ROWS_AT_ONCE).execute())
  if (seqs.length === 0) return 0
  await db.deleteFrom('webhook_deliveries').where('seq', 'in', seqs).execute()
  return seqs.length
}

/** Events whose deliveries are gone: they are written in one transaction. */
async function forgetUnsent(db: Db): Promise<number> {
  const gone = db
    .selectFrom('webhook_events')
    .leftJoin('webhook_deliveries', 'webhook_deliveries.event_seq', 'webhook_events.seq')
    .select('webhook_events.seq')
    .where('webhook_deliveries.seq', 'is', null)
  const seqs = seqsOf(await gone.limit(ROWS_AT_ONCE).execute())
  if (seqs.length === 0) return 0
  await db.deleteFrom('webhook_events').where('seq', 'in', seqs).execute()
  return seqs.length
}

const seqsOf = (rows: { seq: number }[]) => rows.map(({ seq }) => seq)
