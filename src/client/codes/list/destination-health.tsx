import { Unplug } from 'lucide-react'
import type { QrCode } from '#contract/codes/codes.ts'
import { formatDay } from '../../formats.ts'
import styles from './code-table.module.css'

/** Says that a destination is dead, or that we cannot tell, and what we saw. */
export function DestinationHealth({ health }: { health: NonNullable<QrCode['health']> }) {
  const { state, since, seen } = health
  if (state === 'alive') return null
  if (state === 'unclear')
    return <div className={styles.quiet}>Can’t tell if its destination works: {seen}</div>
  return (
    <>
      <span className={styles.warning} data-verdict="unreadable">
        <Unplug size={13} />
        Destination not working
      </span>
      <div className={styles.quiet}>
        Since {formatDay(since)}: {seen}
      </div>
    </>
  )
}
