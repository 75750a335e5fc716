import { Text } from '@mantine/core'
import type { HistoryEntry } from '#contract/account-settings.ts'
import type { SecurityEvent } from '#contract/audit.ts'
import { formatMoment } from '../../formats.ts'
import { Loaded } from '../../ui/dialog/dialog.tsx'
import { Row, Rows } from '../../ui/rows.tsx'
import { Section } from './section.tsx'
import { useHistory } from './settings-calls.ts'

const eventText: Record<SecurityEvent, string> = {
  'signed-up': 'Account created',
  'signed-in': 'Signed in',
  'signed-in-new-device': 'Signed in from a new device',
  'sign-in-failed': 'A sign-in failed',
  'signed-out-everywhere': 'Signed out everywhere',
  'session-ended': 'Session ended',
  'password-changed': 'Password changed',
  'password-reset': 'Password reset by a mailed link',
  'email-verified': 'E-mail address confirmed',
  'email-change-asked': 'Change of the e-mail address requested',
  'email-change-undone': 'Change of the e-mail address cancelled',
  'email-changed': 'E-mail address changed',
  'passkey-added': 'Passkey added',
  'passkey-removed': 'Passkey removed',
  'passkey-copied': 'A passkey that may be a copy was refused',
  'second-factor-on': 'Second step turned on',
  'second-factor-off': 'Second step turned off',
  'recovery-codes-made': 'Recovery codes made',
  'recovery-code-used': 'Recovery code used',
  'provider-linked': 'Sign-in service linked',
  'provider-unlinked': 'Sign-in service unlinked',
  'deletion-asked': 'Deletion of the account requested',
  'deletion-cancelled': 'Account restored',
  exported: 'Links and data downloaded',
  'page-shared': 'Analytics of a QR code shared by a link',
  'page-unshared': 'A shared link stopped',
  'api-key-made': 'API key made',
  'api-key-revoked': 'API key revoked',
  'webhook-added': 'Webhook added',
  'webhook-changed': 'Webhook changed',
  'webhook-removed': 'Webhook removed',
  'webhook-secret-made': 'New secret for a webhook',
}

/** The security events of the account. */
export function HistorySection() {
  const history = useHistory()
  return (
    <Section
      title="History"
      text="Sign-ins from new devices and changes to how you sign in, newest first. We keep them for 13 months."
    >
      <Loaded query={history} what="Your history">
        {(entries) =>
          entries.length === 0 ? (
            <Text size="sm">Nothing yet.</Text>
          ) : (
            <Rows>
              {entries.map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </Rows>
          )
        }
      </Loaded>
    </Section>
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
