import { Badge, Group } from '@mantine/core'
import type { SessionEntry } from '#contract/accounts/account-settings.ts'
import { formatMoment } from '../../formats.ts'
import { Loaded } from '../../ui/dialog/dialog.tsx'
import { Row, RowList } from '../../ui/rows.tsx'
import { Section } from '../../ui/section.tsx'
import { ChangeButton, RowChange } from '../change-button.tsx'
import { remove, useFresh } from './settings-calls.ts'

/** The browsers that are signed in. */
export function SessionsSection() {
  const sessions = useFresh<SessionEntry[]>('/api/account/sessions')
  return (
    <Section
      title="Sessions"
      text="Where you’re logged in. If you don’t recognize one, end it and change your password."
    >
      <Loaded query={sessions} what="Your sessions">
        {(all) => (
          <div>
            <RowList entries={all}>
              {(session) => <SessionRow key={session.id} session={session} />}
            </RowList>
            {all.length > 1 && (
              <ChangeButton
                call={() => remove('sessions')}
                done="You’re logged out everywhere else"
                failed="Failed to log out everywhere"
                question={{
                  title: 'Log out everywhere?',
                  text: 'All other browsers and devices will have to log in again. You stay logged in here.',
                  stay: 'Cancel',
                  go: 'Log out everywhere',
                  grave: false,
                }}
                mt="sm"
                busyText="Logging out..."
              >
                Log out everywhere
              </ChangeButton>
            )}
          </div>
        )}
      </Loaded>
    </Section>
  )
}

function SessionRow({ session }: { session: SessionEntry }) {
  const { id, isCurrent, device, address, signedInAt, lastSeenAt } = session
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
        <RowChange
          call={() => remove(`sessions/${id}`)}
          done="Session ended"
          failed="Failed to end the session"
          aria-label={`End session: ${device}`}
        >
          End session
        </RowChange>
      )}
    </Row>
  )
}
