import type { FastifyBaseLogger } from 'fastify'
import { DELETION_DAYS } from '#contract/account-settings.ts'
import { DAY_MS } from '#contract/time.ts'
import type { Origin } from '../../audit.ts'
import type { Db } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { type AccountEventDeps, recordAndTell } from '../account-events.ts'
import { findAccount, setDeletionAt } from '../users-store.ts'
import { accountKeptLetter, deletionAskedLetter } from './deletion-letters.ts'
import { addDeletion, markPlanStopped, removeDeletion } from './deletions-store.ts'

export type DeletionDeps = AccountEventDeps & {
  db: Db
  log: FastifyBaseLogger
  /** Lets the account's plan end with the period that is paid. @throws where the provider does not answer */
  stopRenewal: (userId: string) => Promise<void>
}

/** So long a mail about a deletion is of use. */
export const DELETION_LETTER_MS = 3 * DAY_MS

/** An account is to be purged in 30 days; asked twice, the first day counts. Answers that day. */
export async function askDeletion(deps: DeletionDeps, userId: string, origin: Origin) {
  const { db, clock, mailer } = deps
  const until = clock().getTime() + DELETION_DAYS * DAY_MS
  const dueAt = await transact(db, async (tx) => {
    const wish = await addDeletion(tx, userId, until)
    const account = await findAccount(tx, { id: userId })
    if (!wish.isNew || !account) return wish.dueAt
    await setDeletionAt(tx, userId, wish.dueAt)
    await recordAndTell(tx, deps, {
      event: 'deletion-asked',
      account,
      origin,
      letter: (happening) => deletionAskedLetter(wish.dueAt, happening),
      lifeMs: DELETION_LETTER_MS,
    })
    return wish.dueAt
  })
  mailer.soon()
  await stopRenewal(deps, userId)
  return new Date(dueAt)
}

/** Tells the payment provider; where it does not answer, the job tells it later. Never rejects. */
export async function stopRenewal(deps: DeletionDeps, userId: string): Promise<boolean> {
  try {
    await deps.stopRenewal(userId)
    await markPlanStopped(deps.db, userId, deps.clock())
    return true
  } catch (error) {
    deps.log.warn({ err: error, userId }, 'a plan still renews; the provider is told later')
    return false
  }
}

/** The account stays. Nothing happens where nobody asked for its end, or where it is too late. */
export async function keepAccount(deps: DeletionDeps, userId: string, origin: Origin) {
  const { db, mailer } = deps
  await transact(db, async (tx) => {
    const account = await findAccount(tx, { id: userId })
    if (!(await removeDeletion(tx, userId)) || !account) return
    await setDeletionAt(tx, userId, null)
    await recordAndTell(tx, deps, {
      event: 'deletion-cancelled',
      account,
      origin,
      letter: accountKeptLetter,
      lifeMs: DELETION_LETTER_MS,
    })
  })
  mailer.soon()
}
