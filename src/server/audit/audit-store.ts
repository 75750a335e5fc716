import { randomUUID } from 'node:crypto'
import { type AuditEvent, otherEvents, securityEvents } from '#contract/audit.ts'
import { DAY_MS } from '#contract/time.ts'
import type { Db } from '../database/schema.ts'
import { BATCH, inBatches } from '../database/transact.ts'

/** The origin of an action. The address is shortened. */
export type Origin = { address: string | null; device: string | null }

export type AuditEntry = {
  /** The account that it is about */
  userId: string
  /** `user`: the account's own owner; `system`: a job or the payment provider; `stranger`: not signed in; `operator`: by a command */
  actor: 'user' | 'system' | 'stranger' | 'operator'
  event: AuditEvent
  /** The object of the action, if that is not the account: the id of a code, a factor or a session */
  subject?: string
  origin?: Origin
}

/** 13 months, so that a year can be compared with the one before. */
const KEPT_MS = 396 * DAY_MS
/**
 * Entries that an account keeps, of its security and of all else: no account fills the log, and no number
 * of changes to a code pushes out who signed in.
 */
export const EVENTS_MAX = 10_000

/** Writes down who did what, in the transaction of what was done. */
export async function recordEvent(db: Db, entry: AuditEntry, now: Date): Promise<void> {
  const { userId, actor, event, subject, origin } = entry
  await db
    .insertInto('audit_entries')
    .values({
      id: randomUUID(),
      at: now.getTime(),
      user_id: userId,
      actor,
      event,
      subject: subject ?? null,
      address: origin?.address ?? null,
      device: origin?.device ?? null,
    })
    .execute()
}

/** The last events of an account, newest first, of these kinds. */
export async function listEvents(
  db: Db,
  userId: string,
  events: readonly AuditEvent[],
  limit: number,
) {
  return db
    .selectFrom('audit_entries')
    .select(['id', 'at', 'actor', 'event', 'subject', 'address', 'device'])
    .where('user_id', '=', userId)
    .where('event', 'in', [...events])
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Replaces a purged account in its entries, in batches; what was done stays known, by whom does not. */
export async function pseudonymiseEvents(db: Db, userId: string, pseudonym: string): Promise<void> {
  const some = db
    .selectFrom('audit_entries')
    .select('id')
    .where('user_id', '=', userId)
    .limit(BATCH)
  await inBatches(async () => {
    const { numUpdatedRows } = await db
      .updateTable('audit_entries')
      .set({ user_id: pseudonym })
      .where('id', 'in', some)
      .executeTakeFirst()
    return numUpdatedRows
  })
}

/** Removes entries that are older than 13 months, in batches. */
export async function sweepEvents(db: Db, now: Date): Promise<void> {
  const old = db
    .selectFrom('audit_entries')
    .select('id')
    .where('at', '<', now.getTime() - KEPT_MS)
    .limit(BATCH)
  await inBatches(async () => {
    const { numDeletedRows } = await db
      .deleteFrom('audit_entries')
      .where('id', 'in', old)
      .executeTakeFirst()
    return numDeletedRows
  })
}

/** Removes the oldest entries of accounts that have too many, in batches. */
export async function trimEvents(db: Db, keep = EVENTS_MAX): Promise<void> {
  const accounts = await db
    .selectFrom('audit_entries')
    .select('user_id')
    .groupBy('user_id')
    .having((row) => row.fn.countAll(), '>', keep)
    .execute()
  for (const { user_id } of accounts) {
    for (const events of [securityEvents, otherEvents]) await trim(db, user_id, events, keep)
  }
}

async function trim(db: Db, userId: string, events: readonly AuditEvent[], keep: number) {
  const own = db.selectFrom('audit_entries').where('user_id', '=', userId)
  const surplus = own
    .where('event', 'in', [...events])
    .select('id')
    .orderBy('at', 'desc')
    .orderBy('id')
    .offset(keep)
    .limit(BATCH)
  await inBatches(async () => {
    const { numDeletedRows } = await db
      .deleteFrom('audit_entries')
      .where('id', 'in', surplus)
      .executeTakeFirst()
    return numDeletedRows
  })
}
