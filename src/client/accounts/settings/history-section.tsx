import type { HistoryEntry } from '#contract/accounts/account-settings.ts'
import type { SecurityEvent } from '#contract/accounts/audit.ts'
import { formatMoment } from '../../formats.ts'
import { Row } from '../../ui/rows.tsx'
import { ListSection } from './list-section.tsx'
import { useFresh } from './settings-calls.ts'

export const eventText: Record<SecurityEvent, string> = {
  'signed-up': 'Account created',
  'signed-in': 'Logged in',
  'signed-in-new-device': 'Logged in from a new device',
  'sign-in-failed': 'Login failed',
  'signed-out-everywhere': 'Logged out everywhere',
  'session-ended': 'Session ended',
  'password-changed': 'Password changed',
  'password-reset': 'Password reset by an emailed link',
  'email-verified': 'Email address confirmed',
  'email-change-asked': 'Change of email address requested',
  'email-change-undone': 'Change of email address canceled',
  'email-changed': 'Email address changed',
  'passkey-added': 'Passkey added',
  'passkey-removed': 'Passkey removed',
  'passkey-copied': 'Passkey refused because it may be a copy',
  'second-factor-on': 'Two-step verification turned on',
  'second-factor-off': 'Two-step verification turned off',
  'recovery-codes-made': 'Recovery codes created',
  'recovery-code-used': 'Recovery code used',
  'provider-linked': 'Login service linked',
  'provider-unlinked': 'Login service unlinked',
  'deletion-asked': 'Account deletion requested',
  'deletion-cancelled': 'Account restored',
  exported: 'Links and data downloaded',
  'page-shared': 'Share link created',
  'page-unshared': 'Share link stopped',
  'page-share-resumed': 'Share link turned on again',
  'api-key-made': 'API key created',
  'api-key-revoked': 'API key revoked',
  'api-key-resumed': 'API key turned on again',
  'app-connected': 'App connected',
  'app-disconnected': 'App disconnected',
  'webhook-added': 'Webhook added',
  'webhook-changed': 'Webhook changed',
  'webhook-removed': 'Webhook removed',
  'webhook-secret-made': 'New webhook secret created',
  'domain-added': 'Domain added',
  'domain-changed': 'Domain changed',
  'domain-removed': 'Domain removed',
  'domain-restored': 'Domain restored',
}

/** The security events of the account. */
export function HistorySection() {
  const history = useFresh<HistoryEntry[]>('/api/account/history')
  return (
    <ListSection
      title="Security log"
      text="Logins from new devices and changes to how you log in, newest first. We keep them for 13 months."
      what="Your security log"
      query={history}
      entries={history.data}
      none="Nothing yet."
      row={(entry) => <Entry key={entry.id} entry={entry} />}
    />
  )
}

function Entry({ entry: { at, event, device, address } }: { entry: HistoryEntry }) {
  const from = [device, address && `from ${address}`].filter(Boolean).join(', ')
  return (
    <Row
      title={eventText[event]}
      lines={[
        <>
          <time dateTime={at}>{formatMoment(at)}</time>
          {from && `, ${from}`}
        </>,
      ]}
    />
  )
}
