import type { Selectable } from 'kysely'
import { DAY_MS } from '#contract/time.ts'
import { hasCome } from '../../clock.ts'
import type { Db, Tables, Tx } from '../../database/schema.ts'
import { changesRow } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import type { Choice } from '../provider.ts'

/** A page on which one plan is paid, or changed to. */
export type SandboxSession = Omit<
  Selectable<Tables['sandbox_sessions']>,
  'kind' | 'tier' | 'billing'
> &
  Choice & { kind: 'pay' | 'change' }

/** How long a page can be used after it was opened. */
export const SESSION_MS = DAY_MS
/** Anything else is not looked up: PostgreSQL refuses some characters. */
const SESSION_ID = /^[\w-]{1,64}$/
/** How long a session is kept after that. */
const KEPT_MS = 30 * DAY_MS

/** Opens a session; one that is already open under the same id stays as it is. */
export async function openSession(db: Db, session: SandboxSession): Promise<void> {
  await db
    .insertInto('sandbox_sessions')
    .values(session)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** One that was left open too long is closed. */
export async function findSession(
  db: Db,
  id: string,
  now: Date,
): Promise<SandboxSession | undefined> {
  if (!SESSION_ID.test(id)) return undefined
  const row = (await db
    .selectFrom('sandbox_sessions')
    .selectAll()
    .where('id', '=', id)
    // The version before kept the visits to its portal here, too.
    .where('kind', '!=', 'portal')
    .executeTakeFirst()) as SandboxSession | undefined
  const isLate = row?.state === 'open' && row.expires_at <= now.getTime()
  return isLate ? { ...row, state: 'closed' } : row
}

/**
 * Ends an open session, once.
 * @throws AppError checkout_not_found if it is not open any more
 */
export async function completeSession(tx: Tx, id: string): Promise<void> {
  const isEnded = await changesRow(
    tx
      .updateTable('sandbox_sessions')
      .set({ state: 'complete' })
      .where('id', '=', id)
      .where('state', '=', 'open'),
  )
  if (!isEnded) throw new AppError('checkout_not_found')
}

export async function closeSessions(db: Db, customerId: string, exceptId = ''): Promise<void> {
  await db
    .updateTable('sandbox_sessions')
    .set({ state: 'closed' })
    .where('customer_id', '=', customerId)
    .where('state', '=', 'open')
    .where('id', '!=', exceptId)
    .execute()
}

export async function sweepSandboxSessions(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('sandbox_sessions')
    .where(hasCome('expires_at', SESSION_MS + KEPT_MS, new Date(now.getTime() - KEPT_MS)))
    .execute()
}
