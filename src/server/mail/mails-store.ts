import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { linkKinds } from '#contract/accounts/accounts.ts'
import { MINUTE_MS } from '#contract/time.ts'
import { hasCome } from '../clock.ts'
import { countWhere, deleteWhere, rowsWhere, updateWhere } from '../database/rows.ts'
import type { Db, Tables, Tx } from '../database/schema.ts'
import { MAY_SEND } from '../database/service-marks.ts'
import { changedRows } from '../database/transact.ts'
import { takeDue } from '../due-queue.ts'

/** A mail that waits; instants are epoch milliseconds. */
export type WaitingMail = Selectable<Tables['mails']>

/** A mail as it is written */
type Mail = Omit<WaitingMail, 'id' | 'priority' | 'created_at' | 'attempts' | 'next_at'>

/** Most notices that wait, and most mails with a link, of each kind: none takes the room of another. */
const NOTICES_MAX = 20_000
const LINKS_MAX = 5_000
/** The most mails of one kind that wait for one recipient. An account has at most as many links at once. */
const EACH_MAX = 5

const PRIORITY = { link: 0, notice: 1 } as const

/** Whether a mail of this kind has a link that lets its reader in, so that it is not a notice. */
export const hasLink = (kind: string) =>
  kind === 'invitation' || linkKinds.some((each) => each === kind)

/** `replaced` counts earlier mails to the same recipient, `dropped` those that found no room. */
export type Queued = { isQueued: boolean; replaced: number; dropped: number }

/** So long a process has for a mail that it claimed. Then another may send it. */
export const CLAIM_MS = 5 * MINUTE_MS

/**
 * Puts a mail into the queue, in the transaction of its event. If the queue is full, the oldest
 * mail with such a link gives way, and a notice is not queued.
 */
export async function queueMail(tx: Tx | Db, mail: Mail, now: Date): Promise<Queued> {
  const { kind } = mail
  const at = now.getTime()
  const priority = hasLink(kind) ? PRIORITY.link : PRIORITY.notice
  const replaced = await removeEarlier(tx, mail)
  let dropped = 0
  if (priority === PRIORITY.link) {
    const surplus = (await waitingMails(tx, { kind })) - LINKS_MAX + 1
    if (surplus > 0) dropped = await removeOldest(tx, kind, surplus)
  } else if ((await waitingMails(tx, { priority })) >= NOTICES_MAX) {
    return { isQueued: false, replaced, dropped: 1 }
  }
  const row = { id: randomUUID(), ...mail, priority, created_at: at, attempts: 0, next_at: at }
  await tx.insertInto('mails').values(row).execute()
  return { isQueued: true, replaced, dropped }
}

/**
 * Removes the notice that says the same, and the oldest mails beyond the recipient's share. A mail
 * that can be ended with one click lists other things each time and stays.
 */
async function removeEarlier(tx: Tx | Db, mail: Mail): Promise<number> {
  const { kind, recipient, subject, unsubscribe } = mail
  const isMerged = !hasLink(kind) && unsubscribe === null
  const same = rowsWhere(tx, 'mails', { kind, recipient }).clearSelect().select('id')
  const newest = same.orderBy('created_at', 'desc').limit(EACH_MAX - 1)
  return changedRows(
    deleteWhere(tx, 'mails', { kind, recipient }).where((row) =>
      row.or([row('id', 'not in', newest), ...(isMerged ? [row('subject', '=', subject)] : [])]),
    ),
  )
}

async function removeOldest(tx: Tx | Db, kind: string, limit: number): Promise<number> {
  const all = rowsWhere(tx, 'mails', { kind }).clearSelect().select('id')
  const oldest = all.orderBy('created_at').limit(limit)
  return changedRows(tx.deleteFrom('mails').where('id', 'in', oldest))
}

/** Mails that wait, all or those of one kind or priority. */
export function waitingMails(db: Db, only: { kind?: string; priority?: number } = {}) {
  return countWhere(db, 'mails', only)
}

/** Pauses after the first, second … failure; then the last one again. */
const PAUSES_MS = [1, 5, 15, 60, 240].map((minutes) => minutes * MINUTE_MS)
const PAUSE_MAX_MS = Math.max(...PAUSES_MS, CLAIM_MS)

/** Claims the mail that has been due for longest, mails with a link first. */
export function claimMail(db: Db, now: Date): Promise<WaitingMail | undefined> {
  const at = now.getTime()
  return takeDue(
    db,
    'mails',
    ['id', 'next_at'],
    (mails) =>
      mails
        .where('expires_at', '>', at)
        .where(MAY_SEND)
        // A next try beyond all pauses was set by a clock that has gone back since.
        .where(hasCome('next_at', PAUSE_MAX_MS, now))
        .orderBy('priority')
        .orderBy('next_at'),
    { next_at: at + CLAIM_MS, attempts: sql`attempts + 1` },
  )
}

/** Removes mails that are useless now; returns how many. */
export async function dropExpired(db: Db, now: Date): Promise<number> {
  return changedRows(db.deleteFrom('mails').where('expires_at', '<=', now.getTime()))
}

export async function removeMail(db: Db, id: string): Promise<void> {
  await db.deleteFrom('mails').where('id', '=', id).execute()
}

/** Drops all mails that wait for an address. */
export async function dropMailsTo(db: Db, recipient: string): Promise<void> {
  await db.deleteFrom('mails').where('recipient', '=', recipient).execute()
}

/** Lets a mail that could not be sent wait for its next try. */
export async function tryMailLater(db: Db, mail: WaitingMail, now: Date): Promise<void> {
  const pause = PAUSES_MS[Math.min(mail.attempts, PAUSES_MS.length) - 1] ?? MINUTE_MS
  await updateWhere(db, 'mails', { id: mail.id })
    .set({ next_at: now.getTime() + pause })
    .execute()
}
