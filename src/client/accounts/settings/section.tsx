import { Card, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useId, useRef } from 'react'
import { useFocusInside } from '../../ui/focus.ts'

type Props = { title: string; text?: ReactNode; children?: ReactNode }

/** One thing that can be set, with its heading and what it is for. */
export function Section({ title, text, children }: Props) {
  const id = useId()
  const area = useRef<HTMLDivElement>(null)
  useFocusInside(area)
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby={id} ref={area} tabIndex={-1}>
      <Stack align="flex-start">
        <div>
          <Title order={2} size="h4" id={id}>
            {title}
          </Title>
          {text && (
            <Text size="sm" c="dimmed" mt={4}>
              {text}
            </Text>
          )}
        </div>
        {children}
      </Stack>
    </Card>
  )
}
