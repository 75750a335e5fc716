import { Anchor, type AnchorProps, Box, Text } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { Link } from 'wouter'
import styles from '../ui/note.module.css'
import { PLANS } from './addresses.ts'

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

type PlansProps = AnchorProps & { onClick?: (event: MouseEvent) => void; children?: string }

/** A link to the plans in a sentence. */
export function PlansLink({ children = 'See the plans', ...anchor }: PlansProps) {
  return (
    <Anchor component={Link} href={PLANS} inherit underline="always" {...anchor}>
      {children}
    </Anchor>
  )
}
