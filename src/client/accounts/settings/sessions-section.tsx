import { Badge, Group } from '@mantine/core'
import type { SessionEntry } from '#contract/account-settings.ts'
import { formatMoment } from '../../formats.ts'
import { BusyButton, RowButton } from '../../ui/busy-button.tsx'
import { Loaded } from '../../ui/dialog/dialog.tsx'
import { confirm } from '../../ui/messages/confirm-dialog.tsx'
import { Row, Rows } from '../../ui/rows.tsx'
import { Section } from './section.tsx'
import { useEndSession, useSessions, useSignOutEverywhere } from './settings-calls.ts'

/** The browsers that are signed in. */
export function SessionsSection() {
  const sessions = useSessions()
  return (
    <Section
      title="Sessions"
      text="Where you’re logged in. If you don’t recognize one, end it and change your password."
    >
      <Loaded query={sessions} what="Your sessions">
        {(all) => (
          <div>
            <Rows>
              {all.map((session) => (
                <SessionRow key={session.id} session={session} />
              ))}
            </Rows>
            {all.length > 1 && <SignOutEverywhere />}
          </div>
        )}
      </Loaded>
    </Section>
  )
}

function SessionRow({ session }: { session: SessionEntry }) {
  const { id, isCurrent, device, address, signedInAt, lastSeenAt } = session
  const end = useEndSession()
  return (
    <Row
      title={
        <Group gap="xs">
          {device}
          {isCurrent && (
            <Badge variant="light" tt="none">
              This browser
            </Badge>
          )}
        </Group>
      }
      lines={[
        `${address ? `From ${address}, logged in` : 'Logged in'} ${formatMoment(signedInAt)}`,
        isCurrent ? 'In use now' : `Last seen ${formatMoment(lastSeenAt)}`,
      ]}
    >
      {!isCurrent && (
        <RowButton
          aria-label={`End session: ${device}`}
          busy={end.isPending}
          busyText="Ending..."
          onClick={() => end.mutate(id)}
        >
          End session
        </RowButton>
      )}
    </Row>
  )
}

function SignOutEverywhere() {
  const signOut = useSignOutEverywhere()
  const ask = () =>
    confirm({
      title: 'Log out everywhere?',
      text: 'All other browsers and devices will have to log in again. You stay logged in here.',
      go: 'Log out everywhere',
      grave: false,
      onGo: () => signOut.mutate(),
    })
  return (
    <BusyButton
      variant="default"
      mt="sm"
      busy={signOut.isPending}
      busyText="Logging out..."
      onClick={ask}
    >
      Log out everywhere
    </BusyButton>
  )
}
