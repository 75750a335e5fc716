import type { AccountSettings, HistoryEntry } from '#contract/account-settings.ts'
import { type AccountChange, type NoticeKind, noticeKinds } from '#contract/account-settings.ts'
import { securityEvents } from '#contract/audit.ts'
import type { listEvents } from '../../audit.ts'
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

const instant = (ms: number) => new Date(ms).toISOString()
const instantOrNull = (ms: number | null) => (ms === null ? null : instant(ms))

/** What the server's configuration says of ways to sign in. */
type Ways = { passwordLogin: boolean; provider: { name: string } | undefined }

export function presentSettings(
  row: SettingsRow,
  { passwordLogin, provider }: Ways,
  now: Date,
): AccountSettings {
  const { email, firstName, lastName, emailVerified, ...user } = row.user
  return {
    ...{ email, firstName, lastName, pictureUrl: row.pictureUrl },
    emailVerified: Boolean(emailVerified),
    pendingEmail: (user.pending_until ?? 0) > now.getTime() ? user.pending_email : null,
    timeZone: user.time_zone,
    hasPassword: passwordLogin && row.hasPassword,
    provider: row.hasProvider ? (provider?.name ?? null) : null,
    secondFactor: row.secondFactor,
    passkeys: row.passkeys,
    noticesOff: noticesIn(user.notices_off),
    deletionAt: instantOrNull(user.deletion_at),
  }
}

type EventRow = Awaited<ReturnType<typeof listEvents>>[number]

export function presentEvent({ id, at, event, device, address }: EventRow): HistoryEntry[] {
  const known = securityEvents.find((each) => each === event)
  return known ? [{ id, at: instant(at), event: known, device, address }] : []
}
