import { Stack, Text, Title } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

type Props = { icon: LucideIcon; title: string; text: string; action?: ReactNode }

/** Stands where a list would: why there is none, and what to do. */
export function EmptyState({ icon: Icon, title, text, action }: Props) {
  return (
    <Stack align="center" gap="xs" py={56} px="md" ta="center">
      <Icon size={44} strokeWidth={1.4} aria-hidden />
      <Title order={3}>{title}</Title>
      <Text c="dimmed">{text}</Text>
      {action}
    </Stack>
  )
}
