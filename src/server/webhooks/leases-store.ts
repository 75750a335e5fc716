import { sql } from 'kysely'
import { CLOCKS_APART_MS } from '../clock.ts'
import type { Db } from '../database/schema.ts'
import { isFree, leaseEnd } from '../jobs/lease.ts'
import { REST_MAX_MS } from './back-off.ts'
import type { EndpointRow } from './endpoints-store.ts'

/*
 * One process at a time sends to an endpoint: so no two send one event at once, and the order of a
 * line is kept. `due_at` is emptied before the process looks what waits, and what adds something sets
 * it: what comes meanwhile is seen when the endpoint is let go.
 */

/** Takes an endpoint for which something is due, and which no other process has. */
export async function takeEndpoint(
  db: Db,
  { holder, except, aheadMs }: { holder: string; except: string[]; aheadMs: number },
  now: Date,
): Promise<EndpointRow | undefined> {
  const at = now.getTime()
  for (;;) {
    let query = db
      .selectFrom('webhook_endpoints')
      .select(['id', 'held_until'])
      .where('off_since', 'is', null)
      .where((row) =>
        row.or([
          // A process has ended with something in hand.
          row.and([row('held_until', 'is not', null), isFree('held_until', now)]),
          row.and([
            row('held_until', 'is', null),
            row.or([row('due_at', '<=', at), row('due_at', '>', at + aheadMs)]),
          ]),
        ]),
      )
      .where((row) =>
        row.or([
          row('rest_until', 'is', null),
          row('rest_until', '<=', at),
          row('rest_until', '>', at + REST_MAX_MS + CLOCKS_APART_MS),
        ]),
      )
    if (except.length > 0) query = query.where('id', 'not in', except)
    const due = await query.orderBy('due_at').limit(1).executeTakeFirst()
    if (!due) return undefined
    let claim = db
      .updateTable('webhook_endpoints')
      .set({ holder, held_until: leaseEnd(now) })
      .where('id', '=', due.id)
    claim =
      due.held_until === null
        ? claim.where('held_until', 'is', null)
        : claim.where('held_until', '=', due.held_until)
    const taken = await claim.returningAll().executeTakeFirst()
    if (taken) return taken
    // Another process was quicker; there may be more.
  }
}

/** Goes on with an endpoint; undefined where it is another's by now, off or gone. */
export async function keepEndpoint(
  db: Db,
  { id, holder }: { id: string; holder: string },
  now: Date,
): Promise<EndpointRow | undefined> {
  return db
    .updateTable('webhook_endpoints')
    .set({ due_at: null, held_until: leaseEnd(now) })
    .where('id', '=', id)
    .where('holder', '=', holder)
    .where('off_since', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Lets an endpoint go. What came meanwhile makes it due at once. */
export async function leaveEndpoint(
  db: Db,
  { id, holder, dueAt }: { id: string; holder: string; dueAt: number | undefined },
): Promise<void> {
  const next = dueAt === undefined ? sql<null>`due_at` : sql<number>`coalesce(due_at, ${dueAt})`
  await db
    .updateTable('webhook_endpoints')
    .set({ holder: null, held_until: null, due_at: next })
    .where('id', '=', id)
    .where('holder', '=', holder)
    .execute()
}
