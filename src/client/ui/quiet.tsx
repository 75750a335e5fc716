import { Text, type TextProps } from '@mantine/core'
import type { ReactNode } from 'react'

/** A small text in a quieter tone. */
export function Quiet(props: TextProps & { children: ReactNode }) {
  return <Text size="sm" c="dimmed" {...props} />
}
