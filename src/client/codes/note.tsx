import { Text } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './note.module.css'

type Props = { icon: LucideIcon; role?: 'status'; children: ReactNode }

/** What must not be overlooked before a code is printed, or while it is in use. */
export function Note({ icon: Icon, role, children }: Props) {
  return (
    <div className={styles.note} role={role}>
      <Icon size={16} aria-hidden />
      <Text size="sm">{children}</Text>
    </div>
  )
}
