import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './rows.module.css'

type RowProps = {
  title: ReactNode
  /** Lines below the title */
  lines: readonly ReactNode[]
  /** At the end of the row: what can be done with it */
  children?: ReactNode
}

/** Rows that have a line between them. */
export function Rows({ children }: { children: ReactNode }) {
  return <ul className={styles.rows}>{children}</ul>
}

type ListProps<Entry> = {
  entries: readonly Entry[]
  /** Shown instead of an empty list */
  none?: string | false
  children: (entry: Entry) => ReactNode
}

/** Entries in rows, or a sentence instead of an empty list. */
export function RowList<Entry>({ entries, none, children }: ListProps<Entry>) {
  if (entries.length > 0) return <Rows>{entries.map((entry) => children(entry))}</Rows>
  return none && <Text size="sm">{none}</Text>
}

/** One thing of a list, with what can be done with it. */
export function Row({ title, lines, children }: RowProps) {
  return (
    <Group component="li" justify="space-between" wrap="nowrap" className={styles.row}>
      <div className={styles.words}>
        <Text
          component="div"
          fw={600}
          dir="auto"
          lineClamp={typeof title === 'string' ? 2 : undefined}
        >
          {title}
        </Text>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
          <Text key={index} component="div" size="sm" c="dimmed">
            {line}
          </Text>
        ))}
      </div>
      {children}
    </Group>
  )
}
