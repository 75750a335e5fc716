import type { NoticeKind } from '#contract/accounts/account-settings.ts'
import { DAY_MS } from '#contract/time.ts'
import { lockPerson } from '../../actor.ts'
import type { PersonId } from '../../database/ids.ts'
import { rowsWhere } from '../../database/rows.ts'
import type { Db, Tx } from '../../database/schema.ts'
import { noticesIn } from '../settings/settings-store.ts'
import { changeUser } from '../users-store.ts'

/** How long sent notices are kept, so that none is sent again. A plan may stay unpaid for long. */
const KEPT_MS = 400 * DAY_MS

/** Those of these accounts that are not about to be deleted, as recipients. */
export async function recipients(db: Db, userIds: PersonId[]) {
  if (userIds.length === 0) return []
  const users = await db
    .selectFrom('users')
    .innerJoin('workspaces', (own) => own.onRef('owner_id', '=', 'users.id').on('is_own', '=', 1))
    .select(['users.id', 'email', 'emailVerified', 'time_zone', 'locale', 'notices_off'])
    .select('workspaces.id as own')
    .where('users.id', 'in', userIds)
    .where('deletion_at', 'is', null)
    .execute()
  const rows = await db.selectFrom('notices').selectAll().where('user_id', 'in', userIds).execute()
  const byUser = Map.groupBy(rows, ({ user_id }) => user_id)
  return users.map(({ id, email, emailVerified, time_zone, locale, notices_off, own }) => {
    const sent = byUser.get(id) ?? []
    // Receipts hold up no notice.
    const times = sent.flatMap(({ kind, sent_at }) => (kind === 'receipt' ? [] : sent_at))
    return {
      id,
      own,
      email,
      isProved: Boolean(emailVerified),
      zone: time_zone,
      locale,
      off: noticesIn(notices_off),
      sent,
      lastSentAt: times.length > 0 ? Math.max(...times) : null,
    }
  })
}

/** An account that may get a notice, with those that it got before */
export type Recipient = Awaited<ReturnType<typeof recipients>>[number]

/** The subjects of the notices of one kind that an account got. */
export function sentOf({ sent }: Recipient, kind: NoticeKind): Set<string> {
  return new Set(sent.filter((notice) => notice.kind === kind).map(({ about }) => about))
}

export async function sweepNotices(db: Db, now: Date): Promise<void> {
  const at = now.getTime()
  // A time in the future is from a clock that went back. It would hold up the mail of that day.
  await db.updateTable('notices').set({ sent_at: at }).where('sent_at', '>', at).execute()
  await db
    .deleteFrom('notices')
    .where('sent_at', '<', at - KEPT_MS)
    .execute()
}

/** Switches one kind of mail off. Returns false if it was off, or without such an account. */
export async function switchOff(tx: Tx, userId: PersonId, kind: NoticeKind): Promise<boolean> {
  // The lock keeps both if two kinds are switched off at once.
  await lockPerson(tx, userId)
  const user = await rowsWhere(tx, 'users', { id: userId }).executeTakeFirst()
  const off = noticesIn(user?.notices_off ?? null)
  if (!user || off.includes(kind)) return false
  await changeUser(tx, userId, { notices_off: [...off, kind].join(',') })
  return true
}
