import { Badge, Group, Text } from '@mantine/core'
import type { SessionEntry } from '#contract/account-settings.ts'
import { formatMoment } from '../../dates.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { confirm } from '../../ui/messages/confirm-dialog.tsx'
import { LoadFailure } from '../../ui/messages/failure-alert.tsx'
import { useSignedOut } from '../../ui/sign-in-again.ts'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './list.module.css'
import { Section } from './section.tsx'
import { useEndSession, useSessions, useSignOutEverywhere } from './settings-calls.ts'

/** The browsers that are signed in. */
export function SessionsSection() {
  const sessions = useSessions()
  useSignedOut(sessions.error)
  return (
    <Section
      title="Sessions"
      text="Where you are signed in. If you do not recognize one, end it and change your password."
    >
      {sessions.isPending && <Spinner label="Loading your sessions" />}
      {sessions.isError && (
        <LoadFailure what="Your sessions" error={sessions.error} onRetry={sessions.refetch} />
      )}
      {sessions.data && <Sessions sessions={sessions.data} />}
    </Section>
  )
}

function Sessions({ sessions }: { sessions: SessionEntry[] }) {
  return (
    <div className={styles.area}>
      <ul className={styles.list}>
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      {sessions.length > 1 && <SignOutEverywhere />}
    </div>
  )
}

function SessionRow({ session }: { session: SessionEntry }) {
  const { id, isCurrent, device, address, signedInAt, lastSeenAt } = session
  const end = useEndSession()
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <Group gap="xs">
          <Text fw={600}>{device}</Text>
          {isCurrent && (
            <Badge variant="light" tt="none">
              This browser
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {address ? `From ${address}, signed in ` : 'Signed in '}
          {formatMoment(signedInAt)}
        </Text>
        <Text size="sm" c="dimmed">
          {isCurrent ? 'In use now' : `Last seen ${formatMoment(lastSeenAt)}`}
        </Text>
      </div>
      {!isCurrent && (
        <BusyButton
          variant="default"
          size="xs"
          aria-label={`End session: ${device}`}
          busy={end.isPending}
          busyText="Ending..."
          onClick={() => end.mutate(id)}
        >
          End session
        </BusyButton>
      )}
    </li>
  )
}

function SignOutEverywhere() {
  const signOut = useSignOutEverywhere()
  const ask = () =>
    confirm({
      title: 'Sign out everywhere?',
      text: 'All other browsers and devices have to sign in again. You stay signed in here.',
      stay: 'Leave them',
      go: 'Sign out everywhere',
      grave: false,
      onGo: () => signOut.mutate(),
    })
  return (
    <BusyButton
      variant="default"
      mt="sm"
      busy={signOut.isPending}
      busyText="Signing out..."
      onClick={ask}
    >
      Sign out everywhere
    </BusyButton>
  )
}
