import type { AccountSettings, HistoryEntry } from '#contract/account-settings.ts'
import { type AccountChange, type NoticeKind, noticeKinds } from '#contract/account-settings.ts'
import { type AuditEvent, securityEvents } from '#contract/audit.ts'
import type { listEvents } from '../../audit.ts'
import type { Config } from '../../config.ts'
import type { PersonId } from '../../database/ids.ts'
import type { Db, Tx } from '../../database/schema.ts'
import { passkeysOf } from '../sign-in/passkeys/passkeys-store.ts'
import { secondFactorOf } from '../sign-in/second-factor/second-factor-store.ts'
import { type AccountRow, pictureUrlOf } from '../users-store.ts'

/** Everything that an account's settings show. */
export async function findSettings(db: Db, userId: PersonId) {
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
    user,
    secondFactor,
    passkeys,
    pictureUrl,
    hasPassword: ways.some(({ password }) => password !== null),
    hasProvider: ways.some(({ providerId }) => providerId !== 'credential'),
  }
}

type SettingsRow = NonNullable<Awaited<ReturnType<typeof findSettings>>>

/** The kinds of notices that are off, from `users.notices_off`. */
export function noticesIn(column: string | null): NoticeKind[] {
  const off = new Set(column?.split(','))
  return noticeKinds.filter((kind) => off.has(kind))
}

/** Changes the settings that are given and leaves the others. Returns the events of what differs now. */
export async function changeSettings(
  tx: Tx,
  { id, name: oldName, ...old }: AccountRow,
  { timeZone, noticesOff, ...given }: AccountChange,
): Promise<AuditEvent[]> {
  const user = await tx
    .selectFrom('users')
    .select(['notices_off', 'shown_name', 'shown_contact'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { firstName = old.firstName, lastName = old.lastName } = given
  const { shownName = user.shown_name, shownContact = user.shown_contact } = given
  const isRenamed = given.firstName !== undefined || given.lastName !== undefined
  const name = isRenamed ? [firstName, lastName].filter(Boolean).join(' ') : oldName
  const off = noticesOff ? noticesIn(noticesOff.join(',')).join(',') || null : user.notices_off
  await tx
    .updateTable('users')
    .set({
      firstName: firstName || null,
      lastName: lastName || null,
      name,
      time_zone: timeZone ?? old.timeZone,
      shown_name: shownName || null,
      shown_contact: shownContact || null,
      notices_off: off,
    })
    .where('id', '=', id)
    .execute()
  const events: AuditEvent[] = []
  if (name !== oldName) events.push('name-changed')
  if (off !== user.notices_off) events.push('notices-changed')
  const isShownAnew = shownName !== user.shown_name || shownContact !== user.shown_contact
  if (isShownAnew) events.push('contact-changed')
  return events
}

const instant = (ms: number) => new Date(ms).toISOString()
const instantOrNull = (ms: number | null) => (ms === null ? null : instant(ms))

export function presentSettings(
  row: SettingsRow,
  { passwordLogin, provider }: Pick<Config, 'passwordLogin' | 'provider'>,
  now: Date,
): AccountSettings {
  const { email, firstName, lastName, emailVerified, ...user } = row.user
  return {
    email,
    firstName,
    lastName,
    pictureUrl: row.pictureUrl,
    emailVerified: Boolean(emailVerified),
    pendingEmail: (user.pending_until ?? 0) > now.getTime() ? user.pending_email : null,
    timeZone: user.time_zone,
    shownName: user.shown_name,
    shownContact: user.shown_contact,
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
