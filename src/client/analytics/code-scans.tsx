import { VisuallyHidden } from '@mantine/core'
import { counted, formatCount } from '../formats.ts'
import styles from './code-scans.module.css'
import { useCodeAnalytics } from './queries.ts'
import { openStats } from './stats-address.ts'

/**
 * One code's numbers in the table, zeros where they cannot be read. They open its analytics. Plain
 * elements: every row has one, and is drawn again when its numbers come.
 */
export function CodeScans({ id, name }: { id: string; name: string }) {
  const { data, isPending } = useCodeAnalytics(id)
  return (
    // The row's menu opens them too: so a row has one place less to tab through.
    <button
      type="button"
      className={styles.scans}
      data-waiting={isPending || undefined}
      tabIndex={-1}
      data-tooltip="Analytics"
      onClick={() => openStats(id)}
    >
      <span className={styles.total}>{!isPending && counted(data?.totalScans ?? 0, 'scan')}</span>{' '}
      <span className={styles.month}>
        {!isPending && `${formatCount(data?.scansThisMonth ?? 0)} this month`}
      </span>{' '}
      <span className={VisuallyHidden.classes.root}>{name}: analytics</span>
    </button>
  )
}
