import { VisuallyHidden } from '@mantine/core'
import { counted, formatCount, formatDay } from '../formats.ts'
import styles from './code-scans.module.css'
import { useCodeAnalytics } from './queries.ts'
import { openStats } from './stats-address.ts'

const SILENT =
  'People scanned this code steadily, then stopped. Maybe its print is covered or gone.'

type Props = { id: string; name: string; limit: number | null }

/**
 * One code's numbers in the table, zeros where they cannot be read. They open its analytics. Plain
 * elements: every row has one, and is drawn again when its numbers come.
 */
export function CodeScans({ id, name, limit }: Props) {
  const { data, isPending } = useCodeAnalytics(id)
  const isOver = data && limit !== null && data.totalScans >= limit
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
      {isOver ? (
        <span className={styles.silent}>Limit reached</span>
      ) : data?.silentSince ? (
        <span className={styles.silent} data-tooltip={SILENT}>
          No scans since {formatDay(data.silentSince)}
        </span>
      ) : (
        <span className={styles.month}>
          {!isPending && `${formatCount(data?.scansThisMonth ?? 0)} this month`}
        </span>
      )}{' '}
      <span className={VisuallyHidden.classes.root}>{name}: analytics</span>
    </button>
  )
}
