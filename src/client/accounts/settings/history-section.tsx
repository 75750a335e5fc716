import { Text } from '@mantine/core'
import type { HistoryEntry } from '#contract/account-settings.ts'
import { formatMoment } from '../../dates.ts'
import { LoadFailure } from '../../ui/messages/failure-alert.tsx'
import { useSignedOut } from '../../ui/sign-in-again.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { eventText } from './event-texts.ts'
import styles from './list.module.css'
import { Section } from './section.tsx'
import { useHistory } from './settings-calls.ts'

/** What happened to the security of the account. */
export function HistorySection() {
  const history = useHistory()
  useSignedOut(history.error)
  return (
    <Section
      title="History"
      text="Sign-ins from new devices and changes to how you sign in, newest first. We keep them for 13 months."
    >
      {history.isPending && <Spinner label="Loading your history" />}
      {history.isError && (
        <LoadFailure what="Your history" error={history.error} onRetry={history.refetch} />
      )}
      {history.data?.length === 0 && <Text size="sm">Nothing yet.</Text>}
      {history.data && history.data.length > 0 && (
        <ol className={styles.list}>
          {history.data.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
    </Section>
  )
}

function Entry({ entry: { at, event, device, address } }: { entry: HistoryEntry }) {
  const from = [device, address && `from ${address}`].filter(Boolean).join(', ')
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <Text fw={600}>{eventText[event]}</Text>
        <Text size="sm" c="dimmed">
          <time dateTime={at}>{formatMoment(at)}</time>
          {from && `, ${from}`}
        </Text>
      </div>
    </li>
  )
}
