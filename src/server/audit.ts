import { randomUUID } from 'node:crypto'
import type { SelectQueryBuilder } from 'kysely'
import { type AuditEvent, otherEvents, securityEvents } from '#contract/accounts/audit.ts'
import { DAY_MS, HOUR_MS } from '#contract/time.ts'
import { type Actor, type Origin, type PersonActor, programOf, workspaceIn } from './actor.ts'
import type { Clock } from './clock.ts'
import { NOBODY, type PersonId, type WorkspaceId } from './database/ids.ts'
import { rowsWhere } from './database/rows.ts'
import type { Db, Tables, Tx } from './database/schema.ts'
import { BATCH, changedRows, inBatches } from './database/transact.ts'

export type AuditEntry = {
  /** The person who did it, or whose account it is about; NOBODY for what the server did in a workspace */
  userId: PersonId
  /** Absent where a person or an operator did it for no workspace */
  workspaceId?: WorkspaceId | undefined
  /** `user`: the account's own owner; `system`: a job or the payment provider; `stranger`: not signed in; `operator`: by a command */
  actor: 'user' | 'system' | 'stranger' | 'operator'
  event: AuditEvent
  /** The object of the action, if that is not the account: the id of a code, a factor or a session */
  subject?: string | undefined
  /** The name of the key or app by which a person did it */
  program?: string | undefined
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
  const { userId, workspaceId, actor, event, subject, program, origin } = entry
  await db
    .insertInto('audit_entries')
    .values({
      id: randomUUID(),
      at: now.getTime(),
      user_id: userId,
      workspace_id: workspaceId ?? null,
      actor,
      event,
      subject: subject ?? null,
      address: origin?.address ?? null,
      device: origin?.device ?? null,
      program: program ?? null,
    })
    .execute()
}

/** The last events of an account or a workspace, newest first, of these kinds. */
export async function listEvents(db: Db, of: Values, events: readonly AuditEvent[], limit: number) {
  return rowsWhere(db, 'audit_entries', of)
    .clearSelect()
    .select(['id', 'at', 'actor', 'event', 'subject', 'address', 'device'])
    .where('event', 'in', [...events])
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
}

type Purged = { userId: PersonId | undefined; pseudonym: PersonId; owned: WorkspaceId[] }

/**
 * Replaces a purged account in its entries, in batches; what was done stays known, by whom does not. The entries of
 * workspaces that are purged with it lose those, too.
 */
export async function pseudonymiseEvents(db: Db, { userId, pseudonym, owned }: Purged) {
  async function replace(was: Values, now: Values) {
    const some = rowsWhere(db, 'audit_entries', was).clearSelect().select('id')
    const change = db.updateTable('audit_entries').set(now)
    await inBatches(() => changedRows(change.where('id', 'in', some.limit(BATCH))))
  }
  if (userId) await replace({ user_id: userId }, { user_id: pseudonym })
  for (const workspace_id of owned) await replace({ workspace_id }, { workspace_id: null })
}

type Values = Partial<Pick<Tables['audit_entries'], 'user_id' | 'workspace_id'>>

/** Removes the oldest entries of accounts that have too many. What the server did by itself counts for its workspace. */
export async function trimEvents(db: Db, keep = EVENTS_MAX): Promise<void> {
  await trimBy(db, 'user_id', keep)
  await trimBy(db, 'workspace_id', keep)
}

async function trimBy(db: Db, owner: 'user_id' | 'workspace_id', keep: number): Promise<void> {
  const sign = owner === 'user_id' ? '!=' : '='
  const full = await db
    .selectFrom('audit_entries')
    .select(owner)
    .where('user_id', sign, NOBODY)
    .groupBy(owner)
    .having((row) => row.fn.countAll(), '>', keep)
    .execute()
  for (const values of full) {
    for (const events of [securityEvents, otherEvents]) {
      await removeEvents(db, () =>
        rowsWhere(db, 'audit_entries', values)
          .clearSelect()
          .select('id')
          .where('user_id', sign, NOBODY)
          .where('event', 'in', [...events])
          .orderBy('at', 'desc')
          .orderBy('id')
          .offset(keep),
      )
    }
  }
}

type Entries = SelectQueryBuilder<Tables, 'audit_entries', { id: string }>

/** Removes some entries, in batches. */
async function removeEvents(db: Db, some: (entries: Entries) => Entries): Promise<void> {
  const surplus = some(db.selectFrom('audit_entries').select('id')).limit(BATCH)
  await inBatches(() => changedRows(db.deleteFrom('audit_entries').where('id', 'in', surplus)))
}

/** Writes down what a person did, in the transaction of what was done. `subject` is the id of its object. */
export type Recording<Event> = (
  tx: Db,
  actor: PersonActor | Actor,
  event: Event,
  subject?: string,
) => Promise<void>

type Deps = { db: Db; clock: Clock }

/** The audit log: the other rooms write to it, and a job removes entries that are older than 13 months. */
export function auditRoom({ db, clock }: Deps) {
  const record: Recording<AuditEvent> = (tx, actor, event, subject) => {
    const { personId: userId, origin } = actor
    const by = userId === NOBODY ? 'system' : 'user'
    const program = programOf({ actor })?.name
    const entry = { userId, workspaceId: workspaceIn(actor), event, subject, program, origin }
    return recordEvent(tx, { ...entry, actor: by }, clock())
  }

  async function sweep() {
    await removeEvents(db, (entries) => entries.where('at', '<', clock().getTime() - KEPT_MS))
    await trimEvents(db)
  }
  return {
    jobs: [{ name: 'sweep-audit', everyMs: HOUR_MS, run: sweep }],
    record,
    /** Records that the payment provider has given an account another plan. */
    recordPlan: (tx: Tx, workspaceId: WorkspaceId, subject: string) => {
      const about = { userId: NOBODY, workspaceId, subject }
      return recordEvent(tx, { ...about, actor: 'system', event: 'plan-changed' }, clock())
    },
  }
}
