import { type AccountChange, type NoticeKind, noticeKinds } from '#contract/account-settings.ts'
import type { Db, Tx } from '../../database/schema.ts'
import { passkeysOf } from '../sign-in/passkeys/passkeys-store.ts'
import { secondFactorOf } from '../sign-in/second-factor/second-factor-store.ts'
import { pictureUrlOf } from '../users-store.ts'

/** All that an account's settings show. */
export async function findSettings(db: Db, userId: string) {
  const [user, ways, secondFactor, passkeys, pictureUrl] = await Promise.all([
    db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst(),
    db
      .selectFrom('accounts')
      .select(['providerId', 'password'])
      .where('userId', '=', userId)
      .execute(),
    secondFactorOf(db, userId),
    passkeysOf(db, userId),
    pictureUrlOf(db, userId),
  ])
  if (!user) return undefined
  return {
    ...{ user, secondFactor, passkeys, pictureUrl },
    hasPassword: ways.some(({ password }) => password !== null),
    hasProvider: ways.some(({ providerId }) => providerId !== 'credential'),
  }
}
export type SettingsRow = NonNullable<Awaited<ReturnType<typeof findSettings>>>

/** The notices that a person has switched off, as `users.notices_off` has them. */
export function noticesIn(column: string | null): NoticeKind[] {
  const off = new Set(column?.split(','))
  return noticeKinds.filter((kind) => off.has(kind))
}

export type Changed = { hasNewName: boolean; hasNewNotices: boolean }

/** Changes what a change names and leaves the rest. Returns what is different now. */
export async function changeSettings(
  tx: Tx,
  userId: string,
  { firstName, lastName, timeZone, noticesOff }: AccountChange,
): Promise<Changed | undefined> {
  const before = await tx
    .selectFrom('users')
    .select(['name', 'notices_off'])
    .where('id', '=', userId)
    .executeTakeFirst()
  const after = await tx
    .updateTable('users')
    .set((users) => ({
      time_zone: timeZone ?? users.ref('time_zone'),
      ...(firstName !== undefined && { firstName: firstName || null }),
      ...(lastName !== undefined && { lastName: lastName || null }),
      ...(noticesOff && { notices_off: noticesIn(noticesOff.join(',')).join(',') || null }),
    }))
    .where('id', '=', userId)
    .returning(['firstName', 'lastName', 'notices_off'])
    .executeTakeFirst()
  if (!before || !after) return undefined
  const isRenamed = firstName !== undefined || lastName !== undefined
  const name = isRenamed ? fullName(after) : before.name
  if (name !== before.name) {
    await tx.updateTable('users').set({ name }).where('id', '=', userId).execute()
  }
  return {
    hasNewName: name !== before.name,
    hasNewNotices: after.notices_off !== before.notices_off,
  }
}

/** The name on invoices and in mails. */
function fullName(row: { firstName: string | null; lastName: string | null }): string {
  return [row.firstName, row.lastName].filter(Boolean).join(' ')
}
