import {
  type AccountChange,
  type AccountSettings,
  type NoticeKind,
  noticeKinds,
} from '#contract/accounts/account-settings.ts'
import type { AuditEvent } from '#contract/accounts/audit.ts'
import type { Config } from '../../config.ts'
import type { PersonId } from '../../database/ids.ts'
import { rowsWhere } from '../../database/rows.ts'
import type { Db, Tx } from '../../database/schema.ts'
import { iso } from '../../dates.ts'
import { type AccountRow, changeUser, pictureUrlOf } from '../users-store.ts'

type Read<K extends keyof AccountSettings> = (
  db: Db,
  userId: PersonId,
) => Promise<AccountSettings[K]>

/** How sign-in reads an account's passkeys and second factor */
export type SignInMethods = { passkeysOf: Read<'passkeys'>; secondFactorOf: Read<'secondFactor'> }

/** Everything that an account's settings show; undefined without such an account. */
export async function settingsOf(
  db: Db,
  userId: PersonId,
  { config, now, signInMethods }: { config: Config; now: Date; signInMethods: SignInMethods },
): Promise<AccountSettings | undefined> {
  const [user, methods, secondFactor, passkeys, pictureUrl] = await Promise.all([
    rowsWhere(db, 'users', { id: userId }).executeTakeFirst(),
    rowsWhere(db, 'accounts', { userId }).execute(),
    signInMethods.secondFactorOf(db, userId),
    signInMethods.passkeysOf(db, userId),
    pictureUrlOf(db, userId),
  ])
  if (!user) return undefined
  const { email, firstName, lastName, emailVerified, deletion_at } = user
  const hasProvider = methods.some(({ providerId }) => providerId !== 'credential')
  return {
    email,
    firstName,
    lastName,
    pictureUrl,
    emailVerified: Boolean(emailVerified),
    pendingEmail: (user.pending_until ?? 0) > now.getTime() ? user.pending_email : null,
    timeZone: user.time_zone,
    hasPassword: config.passwordLogin && methods.some(({ password }) => password !== null),
    provider: hasProvider ? (config.provider?.name ?? null) : null,
    secondFactor,
    passkeys,
    noticesOff: noticesIn(user.notices_off),
    deletionAt: iso(deletion_at),
  }
}

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
  const user = await rowsWhere(tx, 'users', { id }).executeTakeFirstOrThrow()
  const { firstName = old.firstName, lastName = old.lastName } = given
  const isRenamed = given.firstName !== undefined || given.lastName !== undefined
  const name = isRenamed ? [firstName, lastName].filter(Boolean).join(' ') : oldName
  const off = noticesOff ? noticesIn(noticesOff.join(',')).join(',') || null : user.notices_off
  await changeUser(tx, id, {
    firstName: firstName || null,
    lastName: lastName || null,
    name,
    time_zone: timeZone ?? old.timeZone,
    notices_off: off,
  })
  const events: AuditEvent[] = []
  if (name !== oldName) events.push('name-changed')
  if (off !== user.notices_off) events.push('notices-changed')
  return events
}
