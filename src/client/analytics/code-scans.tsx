import { Skeleton, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { counted, formatCount } from '../ui/formats.ts'
import styles from './code-scans.module.css'
import { useCodeAnalytics } from './queries.ts'
import { openStats } from './stats-address.ts'

/** One code's numbers in the table, zeros where they cannot be read. They open its analytics. */
export function CodeScans({ id, name }: { id: string; name: string }) {
  const { data, isPending } = useCodeAnalytics(id)
  if (isPending) return <Skeleton className={styles.scans} />
  return (
    // The row's menu opens them too: so a row has one place less to tab through.
    <UnstyledButton
      className={styles.scans}
      tabIndex={-1}
      data-tooltip="Analytics"
      onClick={() => openStats(id)}
    >
      <Text size="sm">{counted(data?.totalScans ?? 0, 'scan')}</Text>
      <Text size="xs" c="dimmed">
        {formatCount(data?.scansThisMonth ?? 0)} this month
      </Text>
      <VisuallyHidden>Analytics of {name}</VisuallyHidden>
    </UnstyledButton>
  )
}
