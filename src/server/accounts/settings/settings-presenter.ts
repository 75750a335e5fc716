import type { AccountSettings, HistoryEntry } from '#contract/account-settings.ts'
import { securityEvents } from '#contract/audit.ts'
import type { listEvents } from '../../audit/audit-store.ts'
import { noticesIn, type SettingsRow } from './settings-store.ts'

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
