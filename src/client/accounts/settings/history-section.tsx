import { Text } from '@mantine/core'
import type { HistoryEntry } from '#contract/account-settings.ts'
import { formatMoment } from '../../dates.ts'
import { Loaded } from '../../ui/dialog.tsx'
import { Row, Rows } from '../../ui/rows.tsx'
import { eventText } from './event-texts.ts'
import { Section } from './section.tsx'
import { useHistory } from './settings-calls.ts'

/** What happened to the security of the account. */
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
