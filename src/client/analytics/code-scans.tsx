import { Skeleton, Text } from '@mantine/core'
import { counted, formatCount } from '../ui/formats.ts'
import styles from './code-scans.module.css'
import { useCodeAnalytics } from './queries.ts'

/** One code's numbers in the table; zeros where they cannot be read. */
export function CodeScans({ id }: { id: string }) {
  const { data, isPending } = useCodeAnalytics(id)
  if (isPending) return <Skeleton className={styles.scans} />
  return (
    <div className={styles.scans}>
      <Text size="sm">{counted(data?.totalScans ?? 0, 'scan')}</Text>
      <Text size="xs" c="dimmed">
        {formatCount(data?.scansThisMonth ?? 0)} this month
      </Text>
    </div>
  )
}
