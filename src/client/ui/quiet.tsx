import { Text, type TextProps } from '@mantine/core'
import type { ReactNode } from 'react'

/** A small text in a quieter tone. */
export function Quiet(props: TextProps & { role?: 'status'; children: ReactNode }) {
  return <Text size="sm" c="dimmed" {...props} />
}

/** A line of a button or a label, such as what its name means. */
export function Line(props: TextProps & { dir?: 'auto'; children: ReactNode }) {
  return <Text component="span" display="block" size="xs" c="dimmed" {...props} />
}
