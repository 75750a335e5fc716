import { Group, Text } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './notice.module.css'

type Props = { icon: LucideIcon; title: string; children: ReactNode; actions?: ReactNode }

/** Something about the account that its owner should know, and what they can do. */
export function Notice({ icon: Icon, title, children, actions }: Props) {
  return (
    <section className={styles.notice} aria-label={title}>
      <Icon size={18} aria-hidden />
      <div className={styles.words}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="sm" component="div">
          {children}
        </Text>
        {actions && (
          <Group gap="xs" mt="xs">
            {actions}
          </Group>
        )}
      </div>
    </section>
  )
}
