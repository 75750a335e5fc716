import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { MINUTE_MS } from '#contract/time.ts'
import type { Db, MailsTable, Tx } from '../database/schema.ts'

/** A mail as it is written; instants are epoch milliseconds. */
export type Mail = {
  /** What it is about, for logs and figures, such as `reset-password` */
  kind: string
  recipient: string
  subject: string
  text: string
  html: string
  /** An address of ours that ends such mails with one click (RFC 8058); null for mails about security */
  unsubscribe: string | null
  /** After this it is useless, such as a link that is over, and is dropped */
  expiresAt: number
}

export type WaitingMail = Selectable<MailsTable>

/** Most mails that wait. Strangers cannot add more than their limits allow; this bounds the rest. */
const WAITING_MAX = 20_000

/** So long a process has for a mail that it claimed. Then another may send it. */
export const CLAIM_MS = 5 * MINUTE_MS

/** Puts a mail into the queue, in the transaction of what it tells. @returns false if the queue is full */
export async function queueMail(tx: Tx | Db, mail: Mail, now: Date): Promise<boolean> {
  const { expiresAt, ...rest } = mail
  const at = now.getTime()
  const row = { id: randomUUID(), ...rest, created_at: at, expires_at: expiresAt }
  if ((await waitingMails(tx)) >= WAITING_MAX) return false
  await tx
    .insertInto('mails')
    .values({ ...row, attempts: 0, next_at: at })
    .execute()
  return true
}

export async function waitingMails(db: Db): Promise<number> {
  const row = await db
    .selectFrom('mails')
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Pauses after the first, second … failure; then the last one again. */
const PAUSES_MS = [1, 5, 15, 60, 240].map((minutes) => minutes * MINUTE_MS)
const PAUSE_MAX_MS = Math.max(...PAUSES_MS, CLAIM_MS)

/**
 * Claims the mail that has been due for longest. Of several processes one gets it: the claim moves
 * the instant of its next try, on the condition that this is still as read.
 */
export async function claimMail(db: Db, now: Date): Promise<WaitingMail | undefined> {
  const at = now.getTime()
  for (;;) {
    const due = await db
      .selectFrom('mails')
      .select(['id', 'next_at'])
      .where('expires_at', '>', at)
      // A next try beyond all pauses was set by a clock that has gone back since.
      .where((row) => row.or([row('next_at', '<=', at), row('next_at', '>', at + PAUSE_MAX_MS)]))
      .orderBy('next_at')
      .limit(1)
      .executeTakeFirst()
    if (!due) return undefined
    const mail = await db
      .updateTable('mails')
      .set({ next_at: at + CLAIM_MS, attempts: sql`attempts + 1` })
      .where('id', '=', due.id)
      .where('next_at', '=', due.next_at)
      .returningAll()
      .executeTakeFirst()
    if (mail) return mail
    // Another one was quicker; there may be more.
  }
}

/** Removes mails that are useless by now; returns how many. */
export async function dropExpired(db: Db, now: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('mails')
    .where('expires_at', '<=', now.getTime())
    .executeTakeFirst()
  return Number(numDeletedRows)
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
  await db
    .updateTable('mails')
    .set({ next_at: now.getTime() + pause })
    .where('id', '=', mail.id)
    .execute()
}
