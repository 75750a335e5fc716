import type { FastifyRequest } from 'fastify'
import type { AuditEvent } from '#contract/audit.ts'
import { DAY_MS } from '#contract/time.ts'
import type { Origin } from '../actor.ts'
import { type AuditEntry, recordEvent } from '../audit.ts'
import type { PersonId } from '../database/ids.ts'
import type { Db, Tx } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import type { Letter } from '../mail/mail-template.ts'
import type { AccountDeps } from './account-deps.ts'
import type { EventContext } from './letters.ts'
import { originOf } from './origin.ts'
import { type AccountRow, lockUser, ownAccount } from './users-store.ts'

/** How long the mail about an event is of use. */
export const EVENT_LETTER_MS = 2 * DAY_MS

export type EventDeps = Pick<AccountDeps, 'clock' | 'mailer' | 'publicUrl'>

/** A change by the owner who sends a request. */
export const byOwner = (request: FastifyRequest) => ({
  userId: request.actor.personId,
  origin: originOf(request),
})

type Change = {
  tx: Tx
  account: AccountRow
  /** Records an event of the account and mails it to the owner. */
  report: (
    event: AuditEvent,
    letter: AccountEvent['letter'],
    about?: Pick<AccountEvent, 'subject' | 'actor' | 'lifeMs'>,
  ) => Promise<void>
}

/**
 * Changes an account. Changes of one account come one after the other, and their mails are sent after
 * the commit.
 * @throws AppError unauthorized if the account is gone
 */
export async function changeAccount<T>(
  deps: Pick<AccountDeps, 'db'> & EventDeps,
  { userId, origin }: { userId: PersonId; origin: Origin },
  change: (given: Change) => Promise<T>,
): Promise<T> {
  const result = await transact(deps.db, async (tx) => {
    await lockUser(tx, userId)
    const account = await ownAccount(tx, userId)
    const report: Change['report'] = (event, letter, about) =>
      recordAndMail(tx, deps, { event, account, origin, letter, ...about })
    return change({ tx, account, report })
  })
  deps.mailer.soon()
  return result
}

/** Writes down what the owner did, in the transaction of what was done. */
export function recordByOwner(
  db: Db,
  { clock }: Pick<AccountDeps, 'clock'>,
  entry: Omit<AuditEntry, 'actor'>,
): Promise<void> {
  return recordEvent(db, { ...entry, actor: 'user' }, clock())
}

type AccountEvent = Pick<AuditEntry, 'event' | 'subject'> & {
  account: Pick<AccountRow, 'id' | 'email' | 'locale'>
  origin: Origin
  /** The owner if absent */
  actor?: AuditEntry['actor']
  letter: (context: EventContext) => Letter
  lifeMs?: number
}

/**
 * Writes down an event of an account and queues a mail to its owner, in the transaction of the event.
 * Call `mailer.soon` after the commit, as `changeAccount` does.
 */
export async function recordAndMail(
  tx: Tx,
  { clock, mailer, publicUrl }: EventDeps,
  { account, letter, lifeMs = EVENT_LETTER_MS, actor = 'user', ...entry }: AccountEvent,
): Promise<void> {
  const now = clock()
  await recordEvent(tx, { ...entry, userId: account.id, actor }, now)
  await mailer.queue(tx, {
    kind: entry.event,
    to: account.email,
    account: account.id,
    letter: letter({ origin: entry.origin, now, publicUrl, locale: account.locale }),
    lifeMs,
  })
}
