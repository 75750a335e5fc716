import { Text } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './note.module.css'

type Props = { icon: LucideIcon; grave?: boolean; children: ReactNode }

/** A note in a few words, where there is little room. */
export function ShortNote({ icon: Icon, grave, children }: Props) {
  return (
    <Text component="span" size="xs" className={styles.short} data-grave={grave || undefined}>
      <Icon size={14} aria-hidden />
      {children}
    </Text>
  )
}
