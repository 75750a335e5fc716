import { Box, Text } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from '../ui/note.module.css'

type Props = {
  icon: LucideIcon
  role?: 'status'
  mb?: 'md'
  mt?: 'md'
  isPlain?: boolean
  children: ReactNode
}

/** An important note about a code that is about to be printed or in use. A plain one does not warn. */
export function Note({ icon: Icon, isPlain, children, ...box }: Props) {
  return (
    <Box className={styles.note} data-plain={isPlain || undefined} {...box}>
      <Icon size={16} />
      <Text size="sm" component="div">
        {children}
      </Text>
    </Box>
  )
}

type ShortNoteProps = { icon: LucideIcon; grave?: boolean; children: ReactNode }

/** A short note for a place with little room. */
export function ShortNote({ icon: Icon, grave, children }: ShortNoteProps) {
  return (
    <Text component="span" size="xs" className={styles.short} data-grave={grave || undefined}>
      <Icon size={14} />
      {children}
    </Text>
  )
}
