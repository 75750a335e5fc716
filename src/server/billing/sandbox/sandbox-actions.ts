import { type Actor, transactAs } from '../../actor.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/schema.ts'
import { AppError } from '../../http/errors.ts'
import { addEvent, type SandboxEvents } from './sandbox-events.ts'
import { type Books, caughtUp } from './sandbox-rules.ts'
import { completeSession, type SandboxSession } from './sandbox-sessions.ts'
import { lockBooks, saveBooks } from './sandbox-store.ts'

export type SandboxDeps = {
  db: Db
  clock: Clock
  publicUrl: string
  events: SandboxEvents
  /** The owner on a page of the sandbox. The billing room and its jobs act as at another server. */
  actor?: Actor | undefined
}

/**
 * Changes one customer at a time, after the renewals that were due before. The event of the change is
 * recorded with it, and delivered after the commit. A session that it completes counts once.
 * @throws AppError checkout_not_found, and those of the change
 */
export async function changeBooks(
  { db, clock, events, actor }: SandboxDeps,
  customerId: string,
  change: (books: Books, now: number) => Books,
  completes?: SandboxSession,
): Promise<void> {
  await transactAs(db, actor, async (tx) => {
    const books = await lockBooks(tx, customerId)
    if (!books) throw new AppError('checkout_not_found')
    const at = clock()
    if (completes) await completeSession(tx, completes.id)
    const now = at.getTime()
    await saveBooks(tx, books, change(caughtUp(books, now), now))
    await addEvent(tx, customerId, at)
  })
  await events.deliver(customerId)
}
